import type { ProxyServer } from '../api/connecting.ts';
import { type AccountFiles, AccountReader } from './account-reader.ts';
import { versionSchema } from './account-schema.ts';
import type { Resolved } from './account-settings-of.ts';
import { readConnecting } from './connecting.ts';
import { readCredentials } from './credentials.ts';
import type { Problem } from './problem.ts';
import { isMapping, list, mapping } from './raw.ts';
import { readServiceAddress } from './service-address.ts';

export interface AccountSurroundings extends AccountFiles {
  /** The proxy that the environment names for an address of the service. */
  readonly proxyFor: (baseUrl: string) => ProxyServer | undefined;
}

/** By account, what the schema does not tell; undefined where it cannot be made, for a problem that is told. */
export function resolveAccounts(
  configuration: unknown,
  surroundings: AccountSurroundings,
  problems: Problem[],
): (Resolved | undefined)[] {
  const names = new Set<string>();
  return list(mapping(configuration).accounts).map((raw, index) => {
    if (!isMapping(raw)) return undefined;
    const account = new AccountReader(['accounts', index], raw, surroundings, problems);
    const name = account.text('name');
    if (name !== undefined && names.has(name)) {
      account.problem('name', `another account is named ${JSON.stringify(name)} already`);
    }
    if (name !== undefined) names.add(name);
    requireProbes(account);
    const resolved = resolve(account, surroundings);
    return resolved && { ...resolved, written: raw };
  });
}

function resolve(
  account: AccountReader,
  surroundings: AccountSurroundings,
): Omit<Resolved, 'written'> | undefined {
  const version = account.has('version')
    ? versionSchema.safeParse(account.get('version')).data
    : '3.1';
  const authentication = version && readCredentials(account, version);
  const baseUrl = readBaseUrl(account);
  const proxy = baseUrl === undefined ? undefined : surroundings.proxyFor(baseUrl);
  const connecting = readConnecting(account, proxy);
  if (authentication === undefined || baseUrl === undefined) return undefined;
  return { baseUrl, authentication, connecting };
}

/** Results name the probe only; its country stands in the list of probes. */
function requireProbes(account: AccountReader): void {
  const probes = mapping(mapping(account.get('datasets')).probes);
  if (account.get('by_country') === true && probes.enabled === false) {
    account.problem('by_country', 'it needs the dataset probes, which is switched off');
  }
}

function readBaseUrl(account: AccountReader): string | undefined {
  const text = account.text('base_url');
  if (text === undefined) return undefined;
  const address = readServiceAddress(text, account.get('insecure_http') === true);
  if ('url' in address) return address.url;
  account.problem('base_url', address.problem);
  return undefined;
}

import { createHash, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { Authentication } from '../api/http/authentication.ts';
import type { ConnectionOptions, ProxyServer } from '../api/http/connection.ts';
import type { Timeouts } from '../api/http/limits.ts';
import { datasetNames } from '../domain/dataset.ts';
import { present } from '../lib/present.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import { type AccountSettings, type accountSchema, versionSchema } from './account.ts';
import { readServiceAddress } from './addresses.ts';
import { readCredentials } from './credentials.ts';
import { createListFilter } from './filter.ts';
import type { Problem } from './problems/problem.ts';
import { type AccountFiles, AccountReader, isMapping, list, mapping } from './raw.ts';

/**
 * A text that is the same for settings that were read from the same: what was written of the account, and what
 * the files and the environment held.
 */
export function settingsDigest(
  written: unknown,
  authentication: Authentication,
  connecting: ConnectionOptions,
): string {
  const read = JSON.stringify([written, authentication.headers(), connecting]);
  return createHash('sha256').update(read).digest('hex');
}

type Account = z.output<typeof accountSchema>;

/** What the schema does not tell: read, checked and put together from several settings. */
interface ResolvedAccount {
  readonly baseUrl: string;
  readonly authentication: Authentication;
  readonly connection: ConnectionOptions;
  /** What the file says of the account. */
  readonly written: unknown;
}

export function accountSettingsOf(account: Account, resolved: ResolvedAccount): AccountSettings {
  const { name, version = '3.1', budget, filters, timeouts } = account;
  return {
    name,
    baseUrl: resolved.baseUrl,
    version,
    authentication: resolved.authentication,
    ...resolved.connection,
    ...present({
      reserve: budget?.reserve && present(budget.reserve),
      fallbackRequestsPerHour: budget?.fallback_requests_per_hour,
      filter: filters && createListFilter(filters),
      byCountry: account.by_country,
      responseTimeBounds: account.response_time_buckets,
      transactionResponseUnit:
        account.transaction_response_unit === 'auto'
          ? undefined
          : account.transaction_response_unit,
      timeouts: timeouts && inMilliseconds(timeouts),
      maxBodyBytes: account.max_body_size,
      concurrency: account.concurrency,
    }),
    datasets: datasetChoices(account),
    digest: settingsDigest(resolved.written, resolved.authentication, resolved.connection),
  };
}

function datasetChoices({ datasets = {}, by_country }: Account): DatasetChoices {
  const choices = datasetNames.map((name) => {
    const { enabled, floor, max_staleness } = { enabled: undefined, ...datasets[name] };
    const byCountry = name === 'average' ? by_country : undefined;
    return [
      name,
      present({ enabled, floorSeconds: floor, maxStalenessSeconds: max_staleness, byCountry }),
    ];
  });
  return Object.fromEntries(choices);
}

function inMilliseconds(timeouts: Readonly<Record<string, number | undefined>>): Partial<Timeouts> {
  const entries = Object.entries(timeouts).flatMap(([name, seconds]) =>
    seconds === undefined ? [] : [[name, seconds * 1000]],
  );
  return Object.fromEntries(entries);
}

/** How the service is reached: what the file says, or else the proxy of the environment. */
function readConnectionOptions(
  account: AccountReader,
  fromEnvironment?: ProxyServer,
): ConnectionOptions {
  const authorities = readCaCertificates(account);
  const chosen = account.text('proxy');
  const proxy = chosen === undefined ? fromEnvironment : { url: chosen, except: '' };
  return {
    ...(authorities !== undefined && { caCertificates: authorities }),
    ...(proxy !== undefined && chosen !== 'none' && { proxy }),
  };
}

function readCaCertificates(account: AccountReader): string | undefined {
  const pem = account.fileText('ca_file');
  if (pem === undefined || isCertificate(pem)) return pem;
  account.problem('ca_file', 'the file does not hold a certificate in PEM');
  return undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

export interface AccountContext extends AccountFiles {
  /** The proxy that the environment names for an address of the service. */
  readonly proxyFor: (baseUrl: string) => ProxyServer | undefined;
}

/** By account, what the schema does not tell; undefined where it cannot be made, for a problem that is told. */
export function resolveAccounts(
  configuration: unknown,
  surroundings: AccountContext,
  problems: Problem[],
): (ResolvedAccount | undefined)[] {
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
  surroundings: AccountContext,
): Omit<ResolvedAccount, 'written'> | undefined {
  const version = account.has('version')
    ? versionSchema.safeParse(account.get('version')).data
    : '3.1';
  const authentication = version && readCredentials(account, version);
  const baseUrl = readBaseUrl(account);
  const proxy = baseUrl === undefined ? undefined : surroundings.proxyFor(baseUrl);
  const connecting = readConnectionOptions(account, proxy);
  if (authentication === undefined || baseUrl === undefined) return undefined;
  return { baseUrl, authentication, connection: connecting };
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

import { createHash, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { Authentication } from '../api/http/authentication.ts';
import type { ConnectionOptions } from '../api/http/connection.ts';
import type { Timeouts } from '../api/http/limits.ts';
import type { ProxyServer } from '../api/http/proxy-server.ts';
import { datasetNames } from '../domain/dataset.ts';
import { succeeds } from '../lib/or-undefined.ts';
import { present } from '../lib/present.ts';
import type { Secret } from '../lib/secret.ts';
import type { Problem } from '../lib/yaml-source.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import {
  type AccountSettings,
  type accountSchema,
  defaultVersion,
  versionSchema,
} from './account.ts';
import { readCredentials, readHookSecret } from './credentials.ts';
import { readServiceAddress } from './fields.ts';
import { createListFilter } from './filter.ts';
import { type AccountFiles, AccountReader, isMapping, keyNames, mapping, rawList } from './raw.ts';

/** A digest of an account's sources: its section of the file, its files, the environment. */
function settingsDigest(resolved: ResolvedAccount): string {
  const { written, authentication, connection, hookSecret } = resolved;
  const read = [written, authentication.headers(), connection, hookSecret?.reveal()];
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}

type Account = z.output<typeof accountSchema>;

/** The parts of an account outside the schema: from files, or from several settings. */
interface ResolvedAccount {
  readonly baseUrl: string;
  readonly authentication: Authentication;
  readonly connection: ConnectionOptions;
  readonly hookSecret?: Secret;
  /** The account as it is written in the file, or as the variables describe it. */
  readonly written: unknown;
}

export function accountSettingsOf(account: Account, resolved: ResolvedAccount): AccountSettings {
  const { name, version = defaultVersion, budget, filters, timeouts } = account;
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
      hookSecret: resolved.hookSecret,
    }),
    datasets: datasetChoices(account),
    digest: settingsDigest(resolved),
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

/** Reads the connection options. By default the proxy of the environment is used. */
function readConnectionOptions(
  account: AccountReader,
  fromEnvironment?: ProxyServer,
): ConnectionOptions {
  const caCertificates = readCaCertificates(account);
  const chosen = account.text('proxy');
  const proxy = chosen === undefined ? fromEnvironment : { url: chosen, except: '' };
  return present({ caCertificates, ...(proxy !== undefined && chosen !== 'none' && { proxy }) });
}

function readCaCertificates(account: AccountReader): string | undefined {
  const pem = account.fileText('ca_file');
  if (pem === undefined || succeeds(() => new X509Certificate(pem))) return pem;
  account.problem('ca_file', 'the file does not hold a PEM certificate');
  return undefined;
}

export interface AccountContext extends AccountFiles {
  /** Returns the proxy that the environment sets for an address of the service. */
  readonly proxyFor: (baseUrl: string) => ProxyServer | undefined;
}

/** Resolves the accounts of a file. Reports a problem and returns undefined for that account. */
export function resolveAccounts(
  configuration: unknown,
  context: AccountContext,
  problems: Problem[],
): (ResolvedAccount | undefined)[] {
  const names = new Set<string>();
  return rawList(mapping(configuration).accounts).map((raw, index) => {
    if (!isMapping(raw)) return undefined;
    const account = new AccountReader(raw, keyNames(['accounts', index]), context, problems);
    const name = account.text('name');
    if (name !== undefined && names.has(name)) {
      const problem = `another account is already named ${JSON.stringify(name)}; give each a name of its own`;
      account.problem('name', problem);
    }
    if (name !== undefined) names.add(name);
    return resolveAccount(account, context);
  });
}

/** Reads secrets, files and combined settings. Returns undefined after reporting problems. */
export function resolveAccount(
  account: AccountReader,
  { proxyFor }: Pick<AccountContext, 'proxyFor'>,
): ResolvedAccount | undefined {
  requireProbes(account);
  const version = account.has('version')
    ? versionSchema.safeParse(account.get('version')).data
    : defaultVersion;
  const authentication = version && readCredentials(account, version);
  if (authentication !== undefined) requireShowableName(account, authentication);
  const baseUrl = readBaseUrl(account);
  const usesEnvironment = baseUrl !== undefined && !account.has('proxy');
  const proxy = usesEnvironment ? proxyFor(baseUrl) : undefined;
  const connection = readConnectionOptions(account, proxy);
  const hookSecret = readHookSecret(account);
  if (authentication === undefined || baseUrl === undefined) return undefined;
  return { baseUrl, authentication, connection, ...present({ hookSecret }), written: account.raw };
}

/** The name is a label of every series. A secret of a few letters may be part of a word by chance. */
function requireShowableName(account: AccountReader, { secrets }: Authentication): void {
  const name = account.text('name') ?? '';
  const isSecret = ({ length }: string) => length >= 8 || length === name.length;
  if (!secrets.some((secret) => isSecret(secret.reveal()) && name.includes(secret.reveal())))
    return;
  account.problem(
    'name',
    'has a secret of the account in it, and names are shown on every page; choose another name',
  );
}

/** Results have only the id of the probe. Its country is in the probe list. */
function requireProbes(account: AccountReader): void {
  const probes = mapping(mapping(account.get('datasets')).probes);
  if (account.get('by_country') === true && probes.enabled === false) {
    account.problem('by_country', 'needs the dataset probes, which is disabled');
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

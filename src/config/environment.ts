import { type ProxyServer, proxyTo } from '../api/http/proxy-server.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { present } from '../lib/present.ts';
import { schemaProblems } from '../lib/schema-problems.ts';
import type { Problem } from '../lib/yaml-source.ts';
import { type AccountSettings, accountSchema } from './account.ts';
import { isProxyAddress } from './fields.ts';
import { defaultLinks, isWebAddress, type LinkSettings, webAddress } from './links.ts';
import { UsageError } from './problems.ts';
import { type AccountFiles, AccountReader, type SettingNames } from './raw.ts';
import { accountSettingsOf, resolveAccount } from './resolve-account.ts';
import type { Serving } from './serving.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface AccountVariable {
  /** The setting of the configuration file with the same meaning. */
  readonly key: string;
  readonly help: string;
}

/** The variables that describe an account, for reading, messages and `--help`. */
export const accountVariables = {
  UPTIME_API_BASE_URL: {
    key: 'base_url',
    help: 'address of the monitoring service, such as https://api.example.com',
  },
  UPTIME_API_TOKEN: { key: 'token', help: 'API token with read access (API 3.1)' },
  UPTIME_API_TOKEN_FILE: {
    key: 'token_file',
    help: 'file with the token, instead of UPTIME_API_TOKEN',
  },
  UPTIME_API_VERSION: { key: 'version', help: 'version of the API: 3.1 (default), 2.1 or 2.0' },
  UPTIME_API_EMAIL: { key: 'email', help: 'e-mail address of the user (API 2.x)' },
  UPTIME_API_PASSWORD: { key: 'password', help: 'password of the user (API 2.x)' },
  UPTIME_API_PASSWORD_FILE: {
    key: 'password_file',
    help: 'file with the password, instead of UPTIME_API_PASSWORD',
  },
  UPTIME_API_APP_KEY: { key: 'app_key', help: 'application key (API 2.x)' },
  UPTIME_API_APP_KEY_FILE: {
    key: 'app_key_file',
    help: 'file with the key, instead of UPTIME_API_APP_KEY',
  },
  UPTIME_API_ACCOUNT_EMAIL: {
    key: 'account_email',
    help: 'account to act on, for a user of several accounts (API 2.x)',
  },
  UPTIME_API_HOOK_SECRET: {
    key: 'hook_secret',
    help: 'secret of the webhook POST /hooks/SECRET; without it there is none',
  },
  UPTIME_API_HOOK_SECRET_FILE: {
    key: 'hook_secret_file',
    help: 'file with it, instead of UPTIME_API_HOOK_SECRET',
  },
  UPTIME_ACCOUNT: {
    key: 'name',
    help: 'value of the label "account", under which counters are stored (default: default)',
  },
} as const satisfies Record<string, AccountVariable>;

type VariableName = keyof typeof accountVariables;

const variableNames = Object.keys(accountVariables) as readonly VariableName[];

/** The variable with the commit that was built; the Dockerfile sets it. */
export const revisionVariable = 'UPTIME_EXPORTER_REVISION';
/** The variable that contains the branch or tag of that commit; the Dockerfile sets it. */
export const branchVariable = 'UPTIME_EXPORTER_BRANCH';

function variable(env: Environment, name: VariableName): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}

/** Returns the account variables that are set and not empty. */
export function variablesSet(env: Environment): VariableName[] {
  return variableNames.filter((name) => variable(env, name) !== undefined);
}

/** Returns the account of the variables, as a configuration file would have it. */
function accountFromVariables(env: Environment): Readonly<Record<string, string>> {
  const settings = variablesSet(env).map((name) => [
    accountVariables[name].key,
    variable(env, name) ?? '',
  ]);
  return { name: 'default', ...Object.fromEntries(settings) };
}

/** Returns the variable of a setting, or the key if the setting has no variable. */
function variableOf(key: string): string {
  return variableNames.find((name) => accountVariables[name].key === key) ?? key;
}

/** Kubernetes sets these in every pod for a service that is named `uptime` or `uptime-…`. */
const kubernetesServiceVariable =
  /^UPTIME(?:_[A-Z0-9_]+)?_(?:SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/**
 * The variable that has the root of Grafana, to which pages link, unless the configuration file has
 * one. Also for the demo.
 */
const grafanaVariable = 'UPTIME_GRAFANA_URL';

/** Further variables, and what `--help` says of them. */
export const otherVariables: Readonly<Record<string, string>> = {
  [grafanaVariable]: 'root of the Grafana that has the dashboards; pages link to them',
};

/** Returns a message for each unknown variable `UPTIME_…`, without its value. */
export function unknownVariableProblems(env: Environment): string[] {
  const variables: readonly string[] = [
    ...variableNames,
    revisionVariable,
    branchVariable,
    storagePathVariable,
    ...Object.keys(otherVariables),
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith('UPTIME_') && env[name] !== undefined)
    .filter((name) => !variables.includes(name) && !kubernetesServiceVariable.test(name))
    .map((name) => `unknown variable ${name}${didYouMean(name, variables)}`);
}

/** The storage directory in images: above the file, below the flag `--storage.path`. */
export const storagePathVariable = 'UPTIME_STORAGE_PATH';

/** Returns the links of the pages. Throws a `UsageError` for what is no web address. */
export function linksFromEnvironment(env: Environment): LinkSettings {
  const grafana = env[grafanaVariable]?.trim();
  if (!grafana) return defaultLinks;
  if (!isWebAddress(grafana)) {
    throw new UsageError(`${grafanaVariable} must be ${webAddress}`);
  }
  return { ...defaultLinks, grafana };
}

export function servingFromEnvironment(env: Environment): Partial<Serving> {
  return present({ storagePath: env[storagePathVariable]?.trim() || undefined });
}

const namesOfVariables: SettingNames = {
  path: [],
  short: variableOf,
  full: variableOf,
  missing: (keys) => {
    const names = keys.map(variableOf);
    const isSet =
      names.length === 1 ? `${names[0]} is not set` : `neither ${names.join(' nor ')} is set`;
    const [first] = variableNames.filter((name) => accountVariables[name].key === keys[0]);
    return first === undefined ? isSet : `${isSet}: ${accountVariables[first].help}`;
  },
};

/** Reads the account from the environment. Throws a `UsageError` with all problems. */
export function accountFromEnvironment(env: Environment, files: AccountFiles): AccountSettings {
  const problems: Problem[] = [];
  const written = accountFromVariables(env);
  const account = new AccountReader(written, namesOfVariables, files, problems);
  if (!account.has('base_url')) account.missing('base_url');
  const { data, error } = accountSchema.safeParse(written);
  const nameOf = ([key]: Problem['path']) => variableOf(String(key));
  problems.push(
    ...(error === undefined ? [] : schemaProblems(accountSchema, written, error, nameOf)).filter(
      ({ path: [key] }) => account.has(String(key)),
    ),
  );
  const resolved = resolveAccount(account, { proxyFor: (url) => environmentProxy(env, url) });
  // A misspelt variable is reported before the missing one that it causes.
  const messages = [...unknownVariableProblems(env), ...problems.map(({ message }) => message)];
  if (messages.length > 0 || data === undefined || resolved === undefined) {
    throw accountError(env, messages);
  }
  return accountSettingsOf(data, resolved);
}

function accountError(env: Environment, messages: readonly string[]): UsageError {
  const list = messages.map((message) => `  - ${message}`);
  const lines =
    variablesSet(env).length > 0
      ? ['The environment variables do not describe a valid account:', ...list]
      : [
          'No account is configured:',
          ...list,
          'Several accounts, or more settings: --config.file FILE (see uptime-exporter serve --help).',
          'No account at hand? Try a simulated one: uptime-exporter demo (in a clone: npm run demo)',
        ];
  return new UsageError(lines.join('\n'));
}

const loopback = 'localhost,127.0.0.1,[::1]';

/**
 * Returns the proxy for an address according to `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. A
 * variable in lower case takes precedence. Loopback addresses are reached directly. Throws a
 * `UsageError` for an invalid address of a proxy that would be used.
 */
export function environmentProxy(env: Environment, address: string): ProxyServer | undefined {
  const name = new URL(address).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const [source, text] = either(env, name);
  if (text === '') return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  const [, except] = either(env, 'NO_PROXY');
  const proxy = { url, except: except === '' ? loopback : `${except},${loopback}` };
  if (proxyTo(address, { proxy }) === undefined) return undefined;
  if (!isProxyAddress(url)) throw new UsageError(`${source}: ${proxyProblem(url)}`);
  return proxy;
}

function proxyProblem(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : 'http:';
  return /^https?:$/.test(protocol)
    ? 'must be an address without a path, such as http://proxy.example.com:3128'
    : `found ${protocol}; must begin with http:// or https://, as in http://proxy.example.com:3128`;
}

/** The variable, in lower case if it is set so, and its text; empty when it is not set. */
function either(env: Environment, name: string): readonly [variable: string, text: string] {
  const lower = name.toLowerCase();
  const variable = env[lower] === undefined ? name : lower;
  return [variable, env[variable]?.trim() ?? ''];
}

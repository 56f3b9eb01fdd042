import { Secret } from '../lib/secret.ts';
import { UsageError } from './usage-error.ts';

/** The account that the environment variables describe. */
export interface AccountSettings {
  /** The value of the `account` label. */
  readonly name: string;
  readonly baseUrl: string;
  readonly token: Secret;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The one source for the variables: their names and what they mean, for the messages and `--help`. */
export const environmentVariables = {
  UPTIME_API_BASE_URL: 'address of the monitoring service, such as https://api.example.com',
  UPTIME_API_TOKEN: 'API token with read access',
  UPTIME_API_TOKEN_FILE: 'file that holds the token, instead of UPTIME_API_TOKEN',
  UPTIME_ACCOUNT: 'value of the label "account" (default: default)',
} as const;

/**
 * Reads the account from the environment. Throws a `UsageError` that lists every problem at once.
 * @param readFile returns the text of a file, or throws
 */
export function accountFromEnvironment(
  env: Environment,
  readFile: (path: string) => string,
): AccountSettings {
  const problems: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const baseUrl = attempt(() => readBaseUrl(env));
  const token = attempt(() => readToken(env, readFile));
  if (baseUrl === undefined || token === undefined) throw new UsageError(explain(problems));
  return { name: variable(env, 'UPTIME_ACCOUNT') ?? 'default', baseUrl, token };
}

function readBaseUrl(env: Environment): string {
  const name = 'UPTIME_API_BASE_URL';
  const text = variable(env, name);
  if (text === undefined)
    throw new UsageError(`${name} is not set (${environmentVariables[name]})`);
  if (!URL.canParse(text))
    throw new UsageError(`${name} is not an address such as https://api.example.com`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `${name} must not hold credentials; put the token into UPTIME_API_TOKEN_FILE`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${name} must not hold a query or a fragment`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new UsageError(`${name} must begin with https:// (http:// only for this machine itself)`);
  }
  return url.href.replace(/\/+$/, '');
}

function readToken(env: Environment, readFile: (path: string) => string): Secret {
  const inline = variable(env, 'UPTIME_API_TOKEN');
  const path = variable(env, 'UPTIME_API_TOKEN_FILE');
  if (inline !== undefined && path !== undefined) {
    throw new UsageError('set UPTIME_API_TOKEN or UPTIME_API_TOKEN_FILE, not both');
  }
  if (path !== undefined) return tokenFrom(readTokenFile(path, readFile), `the file ${path}`);
  if (inline !== undefined) return tokenFrom(inline, 'UPTIME_API_TOKEN');
  throw new UsageError(
    'neither UPTIME_API_TOKEN nor UPTIME_API_TOKEN_FILE is set (an API token with read access)',
  );
}

function readTokenFile(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path).trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new UsageError(`UPTIME_API_TOKEN_FILE: cannot read ${path} (${code})`);
  }
}

function tokenFrom(text: string, where: string): Secret {
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError(`${where} does not hold a token: one word of visible ASCII characters`);
  }
  return new Secret(text);
}

function variable(env: Environment, name: keyof typeof environmentVariables): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function explain(problems: readonly string[]): string {
  return [
    'The exporter does not know which account to watch:',
    ...problems.map((problem) => `  - ${problem}`),
    'No account at hand? Try it against a simulated one: npm run demo',
  ].join('\n');
}

import {
  type Authentication,
  accountCredentials,
  bearerToken,
} from '../../api/http/authentication.ts';
import { type ApiVersion, apiVersions } from '../../domain/version.ts';
import type { Secret } from '../../lib/secret.ts';
import { type AccountSettings, isAccountName } from '../account.ts';
import { readServiceAddress } from '../addresses.ts';
import { isEmail, readSecretText, type SecretKind } from '../credentials.ts';
import { redactValue } from '../problems/redact.ts';
import { type ReadFile, readErrorCode } from '../raw.ts';
import { settingsDigest } from '../resolve-account.ts';
import { UsageError } from '../usage-error.ts';
import { environmentProxy } from './proxy.ts';
import { type Environment, environmentVariables, variable, variablesSet } from './variables.ts';

/** Collects what is wrong with the input, so that all of it can be told at once. */
class UsageProblems {
  readonly #messages: string[] = [];

  add(message: string): void {
    this.#messages.push(message);
  }

  /** What `read` returns; undefined when it throws a problem, which is kept. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.add(error.message);
      return undefined;
    }
  }

  get found(): boolean {
    return this.#messages.length > 0;
  }

  error(heading: string, ending: readonly string[] = []): UsageError {
    const lines = this.#messages.map((message) => `  - ${message}`);
    return new UsageError([heading, ...lines, ...ending].join('\n'));
  }
}

const baseUrlVariable = 'UPTIME_API_BASE_URL';

/** The address of the service, without a slash at the end. Throws a `UsageError`. */
function readBaseUrl(env: Environment): string {
  const text = variable(env, baseUrlVariable);
  if (text === undefined)
    throw new UsageError(
      `${baseUrlVariable} is not set (${environmentVariables[baseUrlVariable]})`,
    );
  const address = readServiceAddress(text);
  if ('problem' in address) throw new UsageError(`${baseUrlVariable} ${address.problem}`);
  return address.url;
}

const variableOf = {
  token: 'TOKEN',
  password: 'PASSWORD',
  app_key: 'APP_KEY',
  hook_secret: 'HOOK_SECRET',
} as const;

/**
 * A secret from its variable, or from the file that `…_FILE` names. Throws a `UsageError`, which does not
 * repeat the path: it may be a misplaced secret.
 */
function readSecret(kind: SecretKind, env: Environment, readFile: ReadFile): Secret {
  const name = `UPTIME_API_${variableOf[kind]}` as const;
  const fileName = `${name}_FILE` as const;
  const inline = variable(env, name);
  const path = variable(env, fileName);
  if (inline !== undefined && path !== undefined) {
    throw new UsageError(`set ${name} or ${fileName}, not both`);
  }
  if (path !== undefined) {
    return secretFrom(readSecretFile(fileName, path, readFile), `${fileName}: the file`, kind);
  }
  if (inline !== undefined) return secretFrom(inline, name, kind);
  throw new UsageError(`neither ${name} nor ${fileName} is set (${environmentVariables[name]})`);
}

function readSecretFile(fileName: string, path: string, readFile: ReadFile): string {
  try {
    return readFile(path).trim();
  } catch (error) {
    throw new UsageError(`${fileName}: cannot read the file (${readErrorCode(error)})`);
  }
}

function secretFrom(text: string, where: string, kind: SecretKind): Secret {
  const read = readSecretText(kind, text);
  if ('problem' in read) throw new UsageError(`${where} ${read.problem}`);
  return read.secret;
}

const tokenVariables = ['UPTIME_API_TOKEN', 'UPTIME_API_TOKEN_FILE'] as const;
const legacyVariables = [
  'UPTIME_API_EMAIL',
  'UPTIME_API_PASSWORD',
  'UPTIME_API_PASSWORD_FILE',
  'UPTIME_API_APP_KEY',
  'UPTIME_API_APP_KEY_FILE',
  'UPTIME_API_ACCOUNT_EMAIL',
] as const;

/** What is wrong with credentials that the version of the account has no use for. */
function unusedCredentialProblems(version: ApiVersion, env: Environment): string[] {
  const legacy = version !== '3.1';
  const only = legacy ? 'API 3.1' : 'API 2.x';
  return (legacy ? tokenVariables : legacyVariables)
    .filter((name) => variable(env, name) !== undefined)
    .map((name) => `${name} is for ${only}; the account has version ${version}`);
}

/** Reads the account from the environment. Throws a `UsageError` that lists every problem at once. */
export function accountFromEnvironment(env: Environment, readFile: ReadFile): AccountSettings {
  const problems = new UsageProblems();
  const baseUrl = problems.collect(() => readBaseUrl(env));
  const version = problems.collect(() => readVersion(env));
  const authentication =
    version === undefined ? undefined : readAuthentication(version, env, readFile, problems);
  const hasHook = variablesSet(env).some((set) => set.startsWith('UPTIME_API_HOOK_SECRET'));
  const hookSecret = hasHook
    ? problems.collect(() => readSecret('hook_secret', env, readFile))
    : undefined;
  if (version !== undefined) {
    for (const problem of unusedCredentialProblems(version, env)) problems.add(problem);
  }
  const name = problems.collect(() => readName(env));
  if (
    problems.found ||
    baseUrl === undefined ||
    version === undefined ||
    authentication === undefined ||
    name === undefined
  ) {
    throw accountError(problems, env);
  }
  const proxy = environmentProxy(env, baseUrl);
  const connecting = { ...(proxy !== undefined && { proxy }) };
  return {
    name,
    baseUrl,
    version,
    authentication,
    ...connecting,
    ...(hookSecret !== undefined && { hookSecret }),
    digest: settingsDigest([name, baseUrl, version], authentication, {
      ...connecting,
      ...(hookSecret !== undefined && { hook: hookSecret.reveal() }),
    }),
  };
}

function accountError(problems: UsageProblems, env: Environment): UsageError {
  if (variablesSet(env).length > 0) {
    return problems.error('The environment does not describe an account to watch:');
  }
  return problems.error('The exporter does not know which account to watch:', [
    'No account at hand? Try it against a simulated one: npm run demo',
  ]);
}

function readName(env: Environment): string {
  const name = variable(env, 'UPTIME_ACCOUNT') ?? 'default';
  if (isAccountName(name)) return name;
  throw new UsageError('UPTIME_ACCOUNT is not one line of text of at most 200 characters');
}

function readVersion(env: Environment): ApiVersion {
  const text = variable(env, 'UPTIME_API_VERSION') ?? '3.1';
  const version = apiVersions.find((known) => known === text);
  if (version === undefined) {
    throw new UsageError(
      `UPTIME_API_VERSION: found ${redactValue(text)}; allowed: ${apiVersions.join(', ')}`,
    );
  }
  return version;
}

function readAuthentication(
  version: ApiVersion,
  env: Environment,
  readFile: ReadFile,
  problems: UsageProblems,
): Authentication | undefined {
  const secret = (kind: SecretKind) => problems.collect(() => readSecret(kind, env, readFile));
  if (version === '3.1') {
    const token = secret('token');
    return token && bearerToken(token);
  }
  const email = problems.collect(() => readEmail(env));
  const password = secret('password');
  const appKey = secret('app_key');
  const accountEmail = variable(env, 'UPTIME_API_ACCOUNT_EMAIL');
  if (email === undefined || password === undefined || appKey === undefined) return undefined;
  return accountCredentials({
    email,
    password,
    appKey,
    ...(accountEmail !== undefined && { accountEmail }),
  });
}

function readEmail(env: Environment): string {
  const email = variable(env, 'UPTIME_API_EMAIL');
  if (email === undefined) {
    throw new UsageError(`UPTIME_API_EMAIL is not set (${environmentVariables.UPTIME_API_EMAIL})`);
  }
  if (!isEmail(email)) {
    throw new UsageError('UPTIME_API_EMAIL is not an e-mail address');
  }
  return email;
}

import { type Authentication, accountCredentials, bearerToken } from '../api/authentication.ts';
import { isAccountName } from '../config/account-name.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import { harmlessWords } from '../config/harmless-words.ts';
import type { ReadFile } from '../config/read-file.ts';
import { isEmail, type SecretKind } from '../config/secret-text.ts';
import { settingsDigest } from '../config/settings-digest.ts';
import { type ApiVersion, apiVersions } from '../domain/api-version.ts';
import { readBaseUrl } from './base-url.ts';
import { credentialsOfOtherVersions } from './credentials-of-other-versions.ts';
import { environmentProxy } from './environment-proxy.ts';
import {
  type Environment,
  environmentVariables,
  variable,
  variablesSet,
} from './environment-variables.ts';
import { Problems } from './problems.ts';
import { readSecret } from './secret-source.ts';
import { UsageError } from './usage-error.ts';

/** Reads the account from the environment. Throws a `UsageError` that lists every problem at once. */
export function accountFromEnvironment(env: Environment, readFile: ReadFile): AccountSettings {
  const problems = new Problems();
  const baseUrl = problems.collect(() => readBaseUrl(env));
  const version = problems.collect(() => readVersion(env));
  const authentication =
    version === undefined ? undefined : readAuthentication(version, env, readFile, problems);
  if (version !== undefined) {
    for (const problem of credentialsOfOtherVersions(version, env)) problems.add(problem);
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
    digest: settingsDigest([name, baseUrl, version], authentication, connecting),
  };
}

function accountError(problems: Problems, env: Environment): UsageError {
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
      `UPTIME_API_VERSION: found ${harmlessWords(text)}; allowed: ${apiVersions.join(', ')}`,
    );
  }
  return version;
}

function readAuthentication(
  version: ApiVersion,
  env: Environment,
  readFile: ReadFile,
  problems: Problems,
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

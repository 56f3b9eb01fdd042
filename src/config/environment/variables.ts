import { present } from '../../lib/present.ts';
import type { Serving } from '../serving.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The one source for the variables: their names and what they mean, for the messages and `--help`. */
export const environmentVariables = {
  UPTIME_API_BASE_URL: 'address of the monitoring service, such as https://api.example.com',
  UPTIME_API_TOKEN: 'API token with read access (API 3.1)',
  UPTIME_API_TOKEN_FILE: 'file that holds the token, instead of UPTIME_API_TOKEN',
  UPTIME_API_VERSION: 'version of the API: 3.1 (default), 2.1 or 2.0',
  UPTIME_API_EMAIL: 'e-mail address of the user (API 2.x)',
  UPTIME_API_PASSWORD: 'password of the user (API 2.x)',
  UPTIME_API_PASSWORD_FILE: 'file that holds the password, instead of UPTIME_API_PASSWORD',
  UPTIME_API_APP_KEY: 'application key (API 2.x)',
  UPTIME_API_APP_KEY_FILE: 'file that holds the key, instead of UPTIME_API_APP_KEY',
  UPTIME_API_ACCOUNT_EMAIL: 'account to act on, for a user of several accounts (API 2.x)',
  UPTIME_ACCOUNT: 'value of the label "account" (default: default)',
} as const;

export type VariableName = keyof typeof environmentVariables;

export function variable(env: Environment, name: VariableName): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}

/** The variables that describe an account, those that are set. */
export function variablesSet(env: Environment): VariableName[] {
  const names = Object.keys(environmentVariables) as VariableName[];
  return names.filter((name) => variable(env, name) !== undefined);
}

/** For images: goes before the file, and `--storage.path` before it. */
export const storagePathVariable = 'UPTIME_STORAGE_PATH';

export function servingFromEnvironment(env: Environment): Partial<Serving> {
  return present({ storagePath: env[storagePathVariable]?.trim() || undefined });
}

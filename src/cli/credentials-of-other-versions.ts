import type { ApiVersion } from '../domain/api-version.ts';
import { type Environment, variable } from './environment-variables.ts';

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
export function credentialsOfOtherVersions(version: ApiVersion, env: Environment): string[] {
  const legacy = version !== '3.1';
  const only = legacy ? 'API 3.1' : 'API 2.x';
  return (legacy ? tokenVariables : legacyVariables)
    .filter((name) => variable(env, name) !== undefined)
    .map((name) => `${name} is for ${only}; the account has version ${version}`);
}

import { readServiceAddress } from '../config/service-address.ts';
import { type Environment, environmentVariables, variable } from './environment-variables.ts';
import { UsageError } from './usage-error.ts';

const name = 'UPTIME_API_BASE_URL';

/** The address of the service, without a slash at the end. Throws a `UsageError`. */
export function readBaseUrl(env: Environment): string {
  const text = variable(env, name);
  if (text === undefined)
    throw new UsageError(`${name} is not set (${environmentVariables[name]})`);
  const address = readServiceAddress(text);
  if ('problem' in address) throw new UsageError(`${name} ${address.problem}`);
  return address.url;
}

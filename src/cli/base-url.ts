import { type Environment, environmentVariables, variable } from './environment-variables.ts';
import { UsageError } from './usage-error.ts';

const name = 'UPTIME_API_BASE_URL';

/** The address of the service, without a slash at the end. Throws a `UsageError`. */
export function readBaseUrl(env: Environment): string {
  const text = variable(env, name);
  if (text === undefined)
    throw new UsageError(`${name} is not set (${environmentVariables[name]})`);
  if (!URL.canParse(text)) {
    throw new UsageError(`${name} is not an address such as https://api.example.com`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${name} must not hold credentials; put them into their own variables`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${name} must not hold a query or a fragment`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new UsageError(`${name} must begin with https:// (http:// only for this machine itself)`);
  }
  return url.href.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

import type { ProxyServer } from '../../api/http/connection.ts';
import { isProxyAddress } from '../addresses.ts';
import { UsageError } from '../problems/errors.ts';
import type { Environment } from './variables.ts';

const loopback = 'localhost,127.0.0.1,[::1]';

/**
 * The proxy that the usual variables name for an address; lower case comes before upper case. Loopback
 * addresses are reached directly. Throws a `UsageError` for an invalid proxy address.
 */
export function environmentProxy(env: Environment, address: string): ProxyServer | undefined {
  const name = new URL(address).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = either(env, name);
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  if (!isProxyAddress(url)) {
    throw new UsageError(`${name} is not an address such as http://proxy.example.com:3128`);
  }
  const except = either(env, 'NO_PROXY');
  if (except === '*') return undefined;
  return { url, except: except === undefined ? loopback : `${except},${loopback}` };
}

function either(env: Environment, name: string): string | undefined {
  const text = (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  return text === '' ? undefined : text;
}

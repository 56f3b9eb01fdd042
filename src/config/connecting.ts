import { X509Certificate } from 'node:crypto';
import type { Connecting, ProxyServer } from '../api/connecting.ts';
import type { AccountReader } from './account-reader.ts';

/** How the service is reached: what the file says, or else the proxy of the environment. */
export function readConnecting(account: AccountReader, fromEnvironment?: ProxyServer): Connecting {
  const authorities = readAuthorities(account);
  const chosen = account.text('proxy');
  const proxy = chosen === undefined ? fromEnvironment : { url: chosen, except: '' };
  return {
    ...(authorities !== undefined && { authorities }),
    ...(proxy !== undefined && chosen !== 'none' && { proxy }),
  };
}

function readAuthorities(account: AccountReader): string | undefined {
  const pem = account.fileText('ca_file');
  if (pem === undefined || isCertificate(pem)) return pem;
  account.problem('ca_file', 'the file does not hold a certificate in PEM');
  return undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

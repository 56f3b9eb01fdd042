import { resolve } from 'node:path';
import type { ProxyServer } from '../../src/api/http/proxy-server.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import { readConfiguration } from '../../src/config/load.ts';
import { selfSigned } from '../support/self-signed.ts';

const files: Readonly<Record<string, string>> = {
  '/etc/uptime/token': '  token-from-file\n',
  '/etc/uptime/password': 'päss: word\n',
  '/etc/uptime/app-key': 'app-key-1\n',
  '/etc/uptime/quoted': '"1234567"\n',
  '/etc/uptime/empty': '\n',
  // As a file in Latin-1 is read.
  '/etc/uptime/latin-1': 'p\ufffdssword\n',
  '/etc/uptime/ca.pem': selfSigned.cert,
  '/etc/uptime/secrets/token': 'token-of-shop',
  '/etc/uptime/secrets/hook': 'a-webhook-secret-of-shop',
  '/etc/uptime/secrets/password': 'password-of-old',
  '/etc/uptime/secrets/app-key': 'key-of-old',
  '/etc/uptime/secrets/ca.pem': selfSigned.cert,
};

/** Reads a configuration as if its file were in /etc/uptime. */
export function read(text: string, proxy?: ProxyServer, name = 'uptime.yaml'): Configuration {
  return readConfiguration(name, text, {
    readText: (path) => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return content;
    },
    resolvePath: (path) => resolve('/etc/uptime', path),
    proxyFor: () => proxy,
    listenAddressProblem: (address) => (address.includes(':') ? undefined : 'it is not host:port'),
  });
}

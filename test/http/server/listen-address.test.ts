import { describe, expect, test } from 'vitest';
import {
  formatListenAddress,
  parseListenAddress,
} from '../../../src/http/server/listen-address.ts';

describe('a listen address', () => {
  test.each([
    [':9158', { port: 9158 }],
    [':0', { port: 0 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['0.0.0.0:65535', { host: '0.0.0.0', port: 65_535 }],
    ['[::1]:9158', { host: '::1', port: 9158 }],
    ['[::]:9158', { host: '::', port: 9158 }],
    ['[fe80::1%eth0]:9158', { host: 'fe80::1%eth0', port: 9158 }],
    ['localhost:9158', { host: 'localhost', port: 9158 }],
    ['my_host.example.com:80', { host: 'my_host.example.com', port: 80 }],
  ])('%s is read', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address);
  });

  test.each([
    ['', 'it is not host:port'],
    ['9158', 'it is not host:port'],
    ['localhost', 'it is not host:port'],
    ['::1:9158', 'it is not host:port'],
    ['http://localhost:9158', 'it is not host:port'],
    ['localhost:', 'the port is not a number from 0 to 65535'],
    [':65536', 'the port is not a number from 0 to 65535'],
    [':-1', 'the port is not a number from 0 to 65535'],
    [':http', 'the port is not a number from 0 to 65535'],
    [': 80', 'the port is not a number from 0 to 65535'],
    ['[]:80', 'there is no IPv6 address in the brackets'],
    ['[127.0.0.1]:80', 'there is no IPv6 address in the brackets'],
    ['256.1.1.1:80', 'the host is neither an IP address nor a host name'],
    ['1.2.3:80', 'the host is neither an IP address nor a host name'],
    ['a b:80', 'the host is neither an IP address nor a host name'],
  ])('%j is refused: %s', (text, reason) => {
    expect(() => parseListenAddress(text)).toThrow(
      `bad listen address: ${reason}; examples: ":9158", "127.0.0.1:9158", "[::1]:9158"`,
    );
  });

  test('IPv6 is written in brackets', () => {
    expect(formatListenAddress('::1', 80)).toBe('[::1]:80');
    expect(formatListenAddress('127.0.0.1', 80)).toBe('127.0.0.1:80');
  });
});

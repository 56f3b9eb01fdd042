import { expect, test } from 'vitest';
import { environmentProxy } from '../../../src/config/environment.ts';

const https = 'https://api.example.com';
const loopback = 'localhost,127.0.0.1,[::1]';

test.each([
  [{ HTTPS_PROXY: 'http://a:1' }, https, 'http://a:1'],
  [{ https_proxy: 'http://b:1', HTTPS_PROXY: 'http://a:1' }, https, 'http://b:1'],
  [{ HTTPS_PROXY: 'proxy.example.com:3128' }, https, 'http://proxy.example.com:3128'],
  [{ HTTPS_PROXY: 'http://a:1/' }, https, 'http://a:1/'],
  [{ HTTP_PROXY: 'http://a:1' }, https, undefined],
  [{ HTTP_PROXY: 'http://a:1' }, 'http://lab.example.com', 'http://a:1'],
  [{ HTTPS_PROXY: ' ' }, https, undefined],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' }, https, undefined],
])('%j for %s: %s', (env, address, url) => {
  expect(environmentProxy(env, address)?.url).toBe(url);
});

test.each([
  [{ HTTP_PROXY: 'socks5://proxy' }, 'http://127.0.0.1:9158'],
  [{ HTTP_PROXY: 'socks5://proxy', NO_PROXY: 'a.example' }, 'http://localhost:9158'],
  [{ HTTPS_PROXY: 'socks5://proxy', NO_PROXY: 'example.com' }, https],
  [{ HTTPS_PROXY: 'socks5://proxy', NO_PROXY: 'a.example, *' }, https],
])('%j for %s: a proxy that is not used may be of any kind', (env, address) => {
  expect(environmentProxy(env, address)).toBeUndefined();
});

test('this machine itself and the hosts of NO_PROXY are asked without it', () => {
  const env = { HTTPS_PROXY: 'http://a:1' };
  expect(environmentProxy(env, https)?.except).toBe(loopback);
  expect(environmentProxy({ ...env, no_proxy: '.example.org' }, https)?.except).toBe(
    `.example.org,${loopback}`,
  );
});

test.each([
  'http://me:hunter2@proxy:port',
  'http://proxy:3128/proxy.pac',
  'http://proxy:3128/?key=hunter2',
  'http://proxy:3128/#hunter2',
])('what is no address is refused without being repeated: %s', (url) => {
  expect(() => environmentProxy({ HTTPS_PROXY: url }, https)).toThrow(
    /^HTTPS_PROXY: must be an address without a path, such as http:\/\/proxy.example.com:3128$/,
  );
});

test('a proxy of another kind is refused by its scheme alone, under the name of its variable', () => {
  const env = { https_proxy: 'socks5://me:hunter2@proxy' };
  expect(() => environmentProxy(env, https)).toThrow(
    /^https_proxy: found socks5:; must begin with http:\/\/ or https:\/\/, as in http:\/\/proxy.example.com:3128$/,
  );
});

import { expect, test } from 'vitest';
import { proxyTo } from '../../../src/api/http/proxy-server.ts';

test.each([
  ['https://api.example.com', '', true],
  ['https://api.example.com', 'example.com', false],
  ['https://api.example.com', 'localhost, .example.com', false],
  ['https://api.example.com', '*.example.com', false],
  ['https://api.example.com', 'API.example.com:443', false],
  ['https://api.example.com', 'example.com:8443', true],
  ['https://api.example.com:8443', 'example.com:8443', false],
  ['http://api.example.com', 'example.com:80', false],
  ['https://anexample.com', 'example.com', true],
  ['https://[::1]:8443', '[::1]', false],
  ['https://127.0.0.1', 'localhost,127.0.0.1,[::1]', false],
  ['https://api.example.com', '*', false],
] as const)('with exceptions, %s is reached without the proxy: %s', (address, except, isUsed) => {
  const url = 'http://proxy.example.org:3128';

  expect(proxyTo(address, { proxy: { url, except } })).toBe(isUsed ? url : undefined);
});

import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfigurationFile } from '../../src/app/load-configuration.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';

/** A configuration whose account has these settings, and its token in a file. */
const configured = (settings = '') =>
  `accounts: [{ name: shop, base_url: "https://api.example.com", ${settings}token_file: token }]`;

test('a configuration has the second in which its file was changed, while there is one', async () => {
  const file = join(await temporaryFolder(), 'uptime.yaml');
  writeFileSync(file, configured());
  utimesSync(file, 1_767_225_600, 1_767_225_600.9);
  const read = () =>
    loadConfigurationFile({}, file, { readText: () => configured(), secrets: false });

  expect(read().changedAtSeconds).toBe(1_767_225_600);
  rmSync(file);
  expect(read()).not.toHaveProperty('changedAtSeconds');
});

test('a proxy of the environment that is none concerns only accounts that use it', () => {
  const load = (proxy: string) => {
    const env = { HTTPS_PROXY: 'socks5://proxy.example.com' };
    const readText = (path: string) => (path === 'uptime.yaml' ? configured(proxy) : 'abcdefgh');
    return loadConfigurationFile(env, 'uptime.yaml', { readText });
  };
  expect(load('proxy: none, ').accounts[0]?.proxy).toBeUndefined();
  expect(load('proxy: "http://a:1", ').accounts[0]?.proxy?.url).toBe('http://a:1');
  expect(() => load('')).toThrow('HTTPS_PROXY: found socks5:');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, configured, folder } from './support.ts';

const good = 'accounts: [{ name: shop, base_url: "https://api.example.com", token_file: token }]\n';
const bad = 'accounts: [{ name: shop, base_url: "https://api.example.com", token_fil: hunter2 }]\n';

describe.each([
  [
    'check-config FILE',
    (file: string) => ['check-config', file],
    'Environment variables are not checked here: uptime-exporter serve --config.check reads them as well.\n',
  ],
  [
    'serve --config.check',
    (file: string) => ['serve', `--config.file=${file}`, '--config.check'],
    '',
  ],
])('%s', (_name, argv, end) => {
  test('exits with 0 and names the accounts of a right configuration', async () => {
    expect(await command(argv(configured(good)))).toEqual({
      code: 0,
      stdout: [
        'Configuration is valid. Accounts:',
        '  shop: API 3.1, https://api.example.com',
        'Objectives of checks and transactions, the first match applies:',
        '  a tag such as slo-99-95 or uptime_slo_9995',
        '  0.999: default',
        end,
      ].join('\n'),
      stderr: '',
    });
  });

  test('exits with 1 and reports every problem with its place', async () => {
    const file = configured(bad);
    const { code, stdout, stderr } = await command(argv(file));
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${file}:1:12: accounts[0]: missing token or token_file\n`);
    expect(stderr).toContain(
      `${file}:1:63: accounts[0]: unknown key "token_fil"; did you mean "token_file"?`,
    );
    expect(stderr).not.toContain('hunter2');
  });

  test('reports when there is no such file', async () => {
    expect(await command(argv('/nowhere/uptime.yaml'))).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'cannot read the configuration /nowhere/uptime.yaml: there is no such file; create it, or correct the path\n',
    });
  });
});

describe('check-config --no-secrets', () => {
  test.each(['minimal', 'exhaustive'])('takes examples/%s.yaml of a fresh clone', async (name) => {
    const example = join(import.meta.dirname, '../../examples', `${name}.yaml`);
    const path = folder({ 'uptime.yaml': readFileSync(example, 'utf8') });
    const file = join(path, 'uptime.yaml');
    const { code, stderr } = await command(['check-config', '--no-secrets', file]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect((await command(['check-config', file])).code).toBe(1);
  });

  test('reports every other problem', async () => {
    const { code, stderr } = await command(['check-config', '--no-secrets', configured(bad)]);
    expect(code).toBe(1);
    expect(stderr).toContain('unknown key "token_fil"');
    expect(stderr).toContain('missing token or token_file');
  });
});

test('reports what is wrong with an address to listen on', async () => {
  const file = configured(`web: { listen_address: "host" }\n${good}`);
  const { stderr } = await command(['check-config', file]);
  expect(stderr).toContain(
    'uptime.yaml:1:24: web.listen_address: found "host"; bad listen address: ',
  );
});

test('a file and an account of the environment together are refused', async () => {
  const file = configured(good);
  const { code, stderr } = await command(['serve', `--config.file=${file}`, '--config.check'], {
    UPTIME_API_TOKEN: 'hunter2',
    UPTIME_ACCOUNT: 'x',
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'Accounts come from a file or from the environment, not from both: unset UPTIME_API_TOKEN, UPTIME_ACCOUNT, or leave out --config.file.\n',
  );
});

test('--config.check without a file looks at the environment', async () => {
  const env = { UPTIME_API_BASE_URL: 'https://api.example.com', UPTIME_API_TOKEN: 'abc' };
  const { code, stdout } = await command(['--config.check'], env);
  expect(code).toBe(0);
  expect(stdout).toContain('default: API 3.1, https://api.example.com');
});

test('what --config.check reports as without effect depends on the flags as well', async () => {
  const notes = async (sections: string, ...flags: string[]) => {
    const file = `--config.file=${configured(`${sections}${good}`)}`;
    const { stdout } = await command([file, '--config.check', ...flags]);
    return stdout.split('\n').filter((line) => line.includes('is for a database'));
  };
  const url = '--storage.url=postgres://uptime@db.example.com/uptime';
  const ofFile = 'storage: { lease_ttl: 1m }\n';
  expect(await notes(ofFile)).toHaveLength(1);
  expect(await notes(ofFile, url)).toEqual([]);
  expect(await notes('', '--storage.lease-ttl=1m')).toHaveLength(1);
  expect(await notes('', '--storage.lease-ttl=1m', url)).toEqual([]);
});

test('accounts with other token files are not one, although the files are not read', async () => {
  const account = (name: string) =>
    `{ name: ${name}, base_url: "https://api.example.com", token_file: ${name}.token }`;
  const text = `accounts: [${account('a')}, ${account('b')}]\n`;
  const file = configured(text);
  const { code, stdout } = await command(['check-config', '--no-secrets', file]);
  expect(code).toBe(0);
  expect(stdout).not.toContain('share one request budget');
});

import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { loadConfigurationFile } from '../../src/app/load-configuration.ts';
import { run } from '../../src/cli/run.ts';
import { SighupHandler } from '../../src/cli/terminal.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'uptime-config-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** The path of a configuration, beside a file with its token. */
const configured = (text: string) =>
  join(folder({ 'uptime.yaml': text, token: 'abcdefgh' }), 'uptime.yaml');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const noSighup = () =>
  new SighupHandler(Object.assign(new EventEmitter(), { pid: 0, kill: () => undefined }));

async function command(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const told = { stdout: '', stderr: '' };
  const code = await run({
    argv,
    env,
    stdout: { write: (text) => (told.stdout += text) },
    stderr: { write: (text) => (told.stderr += text) },
    sighup: noSighup(),
    untilStopped: () => new Promise(() => {}),
  });
  return { code, ...told };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

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

test('a configuration has the second in which its file was changed, while there is one', () => {
  const file = configured(good);
  utimesSync(file, 1_767_225_600, 1_767_225_600.9);
  const read = () => loadConfigurationFile({}, file, { readText: () => good, secrets: false });

  expect(read().changedAtSeconds).toBe(1_767_225_600);
  rmSync(file);
  expect(read()).not.toHaveProperty('changedAtSeconds');
});

test('a proxy of the environment that is none concerns only accounts that use it', () => {
  const load = (proxy: string) => {
    const file = configured(good.replace('token_file', `${proxy}token_file`));
    const env = { HTTPS_PROXY: 'socks5://proxy.example.com' };
    return loadConfigurationFile(env, file, { readText: (path) => readFileSync(path, 'utf8') });
  };
  expect(load('proxy: none, ').accounts[0]?.proxy).toBeUndefined();
  expect(load('proxy: "http://a:1", ').accounts[0]?.proxy?.url).toBe('http://a:1');
  expect(() => load('')).toThrow('HTTPS_PROXY: found socks5:');
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

test('flags come before the file, and the file before the defaults', async () => {
  const path = folder({
    token: 'abc',
    'uptime.yaml': `
web: { listen_address: "127.0.0.1:1", telemetry_path: /from-file }
storage: { path: store }
log: { level: error, format: json }
accounts: [{ name: shop, base_url: "http://127.0.0.1:9", token_file: token }]`,
  });
  const stop = deferred<string>();
  const address = deferred<string>();
  const argv = [`--config.file=${join(path, 'uptime.yaml')}`];
  const ended = run({
    argv: [...argv, '--web.listen-address=127.0.0.1:0', '--log.level=info'],
    env: {},
    stdout: { write: () => {} },
    stderr: {
      write: (text) => {
        const line = JSON.parse(text);
        if (line.msg === 'serving metrics') address.resolve(line.address);
      },
    },
    sighup: noSighup(),
    untilStopped: () => stop.promise,
  });

  const { statusCode, body } = await request(`http://${await address.promise}/from-file`);
  await body.dump();
  stop.resolve('SIGTERM');

  expect(statusCode).toBe(200);
  expect(await ended).toBe(0);
  expect(existsSync(join(path, 'store'))).toBe(true);
});

describe('plan --config.file', () => {
  async function smallService() {
    const clock = new VirtualClock();
    const service = await startSandbox({
      clock,
      limitsClock: clock,
      host: '127.0.0.1',
      port: 0,
      token: 'abc',
      readOnlyToken: 'xyz',
      checks: 10,
      transactions: 4,
      shortLimit: 400,
      longLimit: 72_000,
    });
    onTestFinished(() => service.close());
    return service;
  }

  /** The command with a file of these accounts. */
  function planner(accounts: string) {
    const path = folder({ token: 'abc', 'uptime.yaml': `accounts:${accounts}` });
    const file = `--config.file=${join(path, 'uptime.yaml')}`;
    return (...flags: string[]) => command(['plan', file, ...flags]);
  }

  const shopAt = (url: string) => ` [{ name: shop, base_url: "${url}", token_file: token }]`;

  test('plans each account with its own datasets and reserve', async () => {
    const service = await smallService();
    const plan = planner(`
  - { name: shop, base_url: "${service.url}", token_file: token }
  - name: lab
    base_url: ${service.url}
    token: xyz
    budget: { reserve: { short: 50, long: 50% } }
    datasets: { average: { enabled: false }, credits: { floor: 2h }, transactions: { enabled: false } }
    filters: { include: { names: ["no such name"] } }
`);

    const { code, stdout } = await plan();

    expect(code).toBe(0);
    const [, shop = '', lab = ''] = stdout.split(/^Account \w+\n/m);
    expect(shop).toContain('API 3.1: 10 checks, 4 transactions');
    expect(shop).toContain('80 and 14400 of them are left to others');
    expect(shop).toMatch(/^average /m);
    expect(shop).toMatch(/^credits .* 15 min$/m);
    expect(lab).toContain('API 3.1: 0 checks, 0 transactions');
    expect(lab).toContain('50 and 36000 of them are left to others');
    expect(lab).not.toMatch(/^average /m);
    expect(lab).toMatch(/^credits .* 2 h$/m);
    expect(service.journal.total).toBe(3);
  });

  test('plans accounts with equal credentials with their parts of the one budget, and its largest reserve', async () => {
    const service = await smallService();
    const plan = planner(`
  - { name: shop, base_url: "${service.url}", token_file: token }
  - name: lab
    base_url: ${service.url}
    token_file: token
    budget: { reserve: { short: 50, long: 50% } }
    filters: { include: { ids: [10214237] } }
  - { name: other, base_url: "${service.url}", token: xyz }
`);

    const { code, stdout } = await plan();

    expect(code).toBe(0);
    const [, shop = '', lab = '', other = ''] = stdout.split(/^Account \w+\n/m);
    for (const shared of [shop, lab]) {
      expect(shared).toContain('80 and 36000 of them are left to others');
    }
    expect(shop).toContain(
      'lab has the same credentials, so they share these limits. This account plans 91 % of them.',
    );
    expect(lab).toContain('shop has the same credentials');
    const planned = (report: string) => /of (\S+) requests per hour/.exec(report)?.[1];
    // 36,000 in 30 days are 50 an hour.
    expect([shop, lab, other].map(planned)).toEqual(['45', '4.5', '80']);
    expect(other).not.toContain('share');
  });

  test('names the account that cannot be read, and plans the others', async () => {
    const service = await smallService();
    const plan = planner(`
  - { name: old, base_url: "${service.url}", token: mistaken }
  - { name: shop, base_url: "${service.url}", token: abc }
`);

    const { code, stdout, stderr } = await plan();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^Account shop\nAPI 3\.1: 10 checks/);
    expect(stderr).toMatch(/^Account old: list_checks: HTTP 401/);
  });

  test('plans the transactions as often as they are run, as the exporter does', async () => {
    const service = await smallService();
    for (const { id } of service.world.transactions.all) {
      const response = await fetch(`${service.url}/api/3.1/tms/check/${id}`, {
        method: 'PUT',
        headers: { Authorization: 'Bearer abc', 'Content-Type': 'application/json' },
        body: JSON.stringify({ interval: 20 }),
      });
      expect(response.status).toBe(200);
    }

    const { stdout } = await planner(shopAt(service.url))();

    expect(stdout).toMatch(/^transactions +1 +6\.0 +20 min +20 min$/m);
    expect(stdout).toContain('one of a transaction is seen at most 20 min after');
  });

  test('counts no transactions where the token may not read them', async () => {
    const service = await smallService();
    service.faults.inject({ kind: 'forbidden', path: '/api/3.1/tms/check' });

    const { code, stdout } = await planner(shopAt(service.url))();

    expect(code).toBe(0);
    expect(stdout).toContain('API 3.1: 10 checks, 0 transactions');
  });

  test('shows what is left, and plans with the limits when they are given', async () => {
    const service = await smallService();
    service.limits.otherClientSpends(300);
    const plan = planner(shopAt(service.url));

    const left = await plan();
    const told = await plan('--short=400', '--long=72000');

    expect(left.stdout).toContain(
      'Limits: 72000 requests in 30 d; 14400 of them are left to others\nLeft now: 98 requests in the next 1 h; 20 of them',
    );
    expect(left.stdout).not.toContain('refused');
    expect(told.stdout).toContain('API 3.1: 10 checks, 4 transactions');
    expect(told.stdout).toContain('Limits: 400 requests in 1 h, 72000 requests in 30 d; 80 and');
    expect(told.stdout).not.toContain('Left now');
  });

  test('asks for no list of transactions whose number is given, for which nothing may be left', async () => {
    const service = await smallService();
    service.limits.otherClientSpends(398);
    const plan = planner(shopAt(service.url));

    const refused = await plan();
    const told = await plan('--transactions=7', '--short=400');

    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Pass --transactions, and their list is not read.'),
    });
    expect(told.stdout).toContain('API 3.1: 10 checks, 7 transactions');
    expect(service.journal.total).toBe(2);
  });

  test('needs the limits when the service does not speak of them', async () => {
    const service = await smallService();
    service.faults.inject({ kind: 'no-limit-headers' });
    const plan = planner(shopAt(service.url));

    expect(await plan()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The service does not report its limits; pass --short and --long.\n',
    });
    const told = await plan('--short=400', '--long=72000');
    expect(told.stdout).toContain('Limits: 400 requests in 1 h');
  });

  test.each([
    [['--checks=5'], 'pass --short and --long.'],
    [['--checks=5', '--short=400'], 'pass --long.'],
  ])('%j without an account lacks the limits', async (flags, missing) => {
    expect(await command(['plan', ...flags])).toEqual({
      code: 1,
      stdout: '',
      stderr: `With --checks, no account is asked for its limits; ${missing}\n`,
    });
  });

  test('asks nothing when the numbers are given', async () => {
    const plan = planner(shopAt('https://api.example.com'));
    const { code, stdout } = await plan('--checks=5', '--short=400', '--long=72000');
    expect(code).toBe(0);
    expect(stdout).toContain('API 3.1: 5 checks, 0 transactions');
  });
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

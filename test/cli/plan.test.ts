import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { command, folder } from './support.ts';

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

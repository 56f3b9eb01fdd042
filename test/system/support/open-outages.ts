import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { Exporter } from '../../../src/app/exporter.ts';
import { scrubberOf } from '../../../src/app/logging.ts';
import { runningConfiguration } from '../../../src/app/reload.ts';
import { defaultServing } from '../../../src/config/serving.ts';
import type { ApiVersion } from '../../../src/domain/version.ts';
import { ServedFamilies } from '../../../src/exposition/catalogue/served-families.ts';
import { LabelPolicy } from '../../../src/exposition/labels/label-policy.ts';
import { createLog } from '../../../src/lib/log.ts';
import { defaultSloPolicy } from '../../../src/slo/groups.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import { CountedClient, PendingWork } from '../../support/pending-work.ts';
import { planMaintenance } from '../../support/plan-maintenance.ts';
import { RestartableExporter } from '../../support/restartable-exporter.ts';
import { sandboxAccount, startVirtualSandbox } from '../../support/sandbox-exporter.ts';
import { statesOnly } from '../../support/states-only.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { accountsByVersion } from '../../support/windows-month.ts';

const minute = 60;
const hour = 60 * minute;

/**
 * A check that is tested every minute, is not in maintenance, and is down for some time, ten
 * minutes from now.
 */
async function startWithOutage(hours: number, version: ApiVersion = '3.1') {
  const account = { ...accountsByVersion[version], datasets: statesOnly };
  const exporter = await RestartableExporter.create({
    checks: 4,
    transactions: 0,
    account,
    // States of this moment are compared with the list.
    wire: { listLagSeconds: { min: 0, max: 0 }, lateStatusSeconds: 0, omittedChecks: 0 },
  });
  const { world } = exporter.sandbox;
  const check = world.checks.at(-1);
  if (check === undefined) throw new Error('the sandbox has no checks');
  const run = { from: check.created, resolutionSeconds: minute, phaseSeconds: 13 };
  world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
  // Only planted events happen.
  const { id } = check;
  const { now } = exporter;
  world.plant({ checkId: id, status: 'up', from: now - 30 * 24 * hour, to: now + 10 * minute });
  world.plant({
    checkId: id,
    status: 'down',
    from: now + 10 * minute,
    to: now + 10 * minute + hours * hour,
  });
  world.plant({
    checkId: id,
    status: 'up',
    from: now + 10 * minute + hours * hour,
    to: now + 90 * 24 * hour,
  });
  await exporter.start();
  return { exporter, id };
}

/** The page's statements about the outages of a check, keyed by name. */
async function told(exporter: RestartableExporter, id: number): Promise<Record<string, number>> {
  const page = await exporter.page();
  return Object.fromEntries(
    page.split('\n').flatMap((line) => {
      const shown = /^uptime_check_outage_open\{.*check_id="(\d+)",name="([^"]*)".* (\d)$/.exec(
        line,
      );
      const [, checkId, name = '', value] = shown ?? [];
      return Number(checkId) === id ? [[name, Number(value)]] : [];
    }),
  );
}

async function open(exporter: RestartableExporter, id: number): Promise<number | undefined> {
  const values = Object.values(await told(exporter, id));
  expect(values.length).toBeLessThan(2);
  return values[0];
}

/** The laws of open outages, with each of the API versions. */
export function testOpenOutages(versions: readonly ApiVersion[]): void {
  test.each(versions)(
    'with API %s an outage is open through restarts, kills and a revoked token, then over for a day',
    async (version) => {
      const { exporter, id } = await startWithOutage(5, version);
      await exporter.pass(9 * minute);
      expect(await open(exporter, id)).toBeUndefined();
      await exporter.pass(6 * minute);
      expect(await open(exporter, id)).toBe(1);
      const samples = await exporter.scrape();
      const labels = `{account="shop",check_id="${id}"}`;
      const began = samples.get(`uptime_check_outage_start_timestamp_seconds${labels}`);
      // The service of 3.1 reports the start; the others show a check that is down for the first
      // time.
      if (version === '3.1') {
        expect(began).toBe(samples.get(`uptime_check_last_down_start_timestamp_seconds${labels}`));
      }
      expect(exporter.now - (began ?? 0)).toBeLessThan(6 * minute);

      await exporter.stop();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(5 * minute);
      await exporter.crash();
      await exporter.pass(hour);
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);

      const fault = exporter.sandbox.faults.inject({ kind: 'unauthorized' });
      await exporter.pass(hour);
      expect((await exporter.scrape()).get(`uptime_check_up${labels}`)).toBeUndefined();
      expect(await open(exporter, id)).toBe(1);
      await exporter.crash();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(20 * minute);
      expect(await open(exporter, id)).toBe(1);
      exporter.sandbox.faults.clear(fault);

      await exporter.stop();
      await exporter.pass(3 * hour);
      await exporter.start();
      await exporter.pass(5 * minute);
      expect(await open(exporter, id)).toBe(0);
      await exporter.stop();
      await exporter.pass(23 * hour);
      await exporter.start();
      await exporter.pass(5 * minute);
      expect(await open(exporter, id)).toBe(0);
      await exporter.stop();
      await exporter.pass(hour);
      await exporter.start();
      await exporter.pass(5 * minute);
      expect(await open(exporter, id)).toBeUndefined();
    },
  );

  test.each(versions)(
    'with API %s unknown keeps an outage open, a pause and the end of a pause end and open it',
    async (version) => {
      const { exporter, id } = await startWithOutage(8, version);
      const from = exporter.now + 30 * minute;
      exporter.sandbox.world.plant({
        checkId: id,
        status: 'unknown',
        from,
        to: from + 20 * minute,
      });
      await exporter.pass(15 * minute);
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(25 * minute);
      const status = `uptime_check_status{account="shop",check_id="${id}",status="unknown"}`;
      expect((await exporter.scrape()).get(status)).toBe(1);
      expect(await open(exporter, id)).toBe(1);
      await exporter.crash();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(20 * minute);
      await exporter.change('PUT', `/checks/${id}`, { paused: true });
      await exporter.pass(3 * minute);
      expect(await open(exporter, id)).toBe(0);
      await exporter.stop();
      await exporter.start();
      expect(await open(exporter, id)).toBe(0);
      await exporter.change('PUT', `/checks/${id}`, { paused: false });
      await exporter.pass(6 * minute);
      expect(await open(exporter, id)).toBe(1);
      await exporter.stop();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
    },
  );

  test.each(versions)(
    'with API %s a failure that is not confirmed keeps an outage open',
    async (version) => {
      const { exporter, id } = await startWithOutage(1, version);
      const { world } = exporter.sandbox;
      const status = () => {
        const check = world.check(id);
        if (check === undefined) throw new Error('the check is gone');
        return world.observer.observe(check, exporter.now).status;
      };
      const from = exporter.now + 3 * hour;
      // One test fails, and the next one does not confirm it.
      world.plant({ checkId: id, status: 'down', from, to: from + minute });
      await exporter.pass(20 * minute);
      expect(await open(exporter, id)).toBe(1);
      await exporter.crash();
      await exporter.pass(2 * hour);
      while (status() !== 'unconfirmed_down' && exporter.now < from + 3 * minute) {
        await exporter.pass(1);
      }

      await exporter.start();
      await exporter.pass(5);
      const shown = `uptime_check_status{account="shop",check_id="${id}",status="unconfirmed_down"}`;
      expect((await exporter.scrape()).get(shown)).toBe(1);
      expect(await open(exporter, id)).toBe(1);
      await exporter.crash();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(10 * minute);
      expect(await open(exporter, id)).toBe(0);
    },
  );

  // 2.0 has no maintenance.
  test.each(versions.filter((version) => version !== '2.0'))(
    'with API %s maintenance ends an outage, and what is still down after it opens again',
    async (version) => {
      const { exporter, id } = await startWithOutage(8, version);
      const [from, to] = [exporter.now + hour, exporter.now + 2 * hour];
      planMaintenance(exporter.sandbox.world, { from, to, uptimeids: [id] });
      await exporter.pass(50 * minute);
      expect(await open(exporter, id)).toBe(1);
      await exporter.pass(12 * minute);
      expect(await open(exporter, id)).toBe(0);
      await exporter.crash();
      await exporter.start();
      expect(await open(exporter, id)).toBe(0);
      await exporter.pass(hour);
      expect(await open(exporter, id)).toBe(1);
      await exporter.crash();
      await exporter.start();
      expect(await open(exporter, id)).toBe(1);
    },
  );

  test.each(versions)(
    'with API %s a check that is renamed or deleted is told to be over under its old labels',
    async (version) => {
      const { exporter, id } = await startWithOutage(8, version);
      const name = exporter.sandbox.world.check(id)?.name ?? '';
      await exporter.pass(15 * minute);
      expect(await told(exporter, id)).toEqual({ [name]: 1 });
      await exporter.change('PUT', `/checks/${id}`, { name: 'Renamed' });
      await exporter.pass(3 * minute);
      expect(await told(exporter, id)).toEqual({ [name]: 0, Renamed: 1 });
      await exporter.crash();
      await exporter.start();
      expect(await told(exporter, id)).toEqual({ [name]: 0, Renamed: 1 });
      exporter.sandbox.world.registry.remove(id);
      await exporter.pass(5 * minute);
      expect(await told(exporter, id)).toEqual({ [name]: 0, Renamed: 0 });
      const others = (await exporter.page()).split('\n').filter((line) => line.includes(`"${id}"`));
      expect(others.filter((line) => !line.startsWith('uptime_check_outage_open'))).toEqual([]);
      await exporter.stop();
      await exporter.start();
      expect(await told(exporter, id)).toEqual({ [name]: 0, Renamed: 0 });
      await exporter.stop();
      await exporter.pass(23 * hour);
      await exporter.start();
      expect(await told(exporter, id)).toEqual({ [name]: 0, Renamed: 0 });
      await exporter.pass(hour);
      expect(await told(exporter, id)).toEqual({});
    },
  );

  if (!versions.includes('3.1')) return;

  // The handling of accounts is the same for every version.
  test('an account that a reload or a restart takes away is told to be over for a day', async () => {
    const work = new PendingWork();
    const clock = new VirtualClock(undefined, () => work.quiet());
    const options = { checks: 40, transactions: 4 };
    const sandbox = await startVirtualSandbox(clock, options, work.handingOver(clock));
    onTestFinished(() => sandbox.close());
    const settings = ['first', 'second', 'third'].map((name) =>
      sandboxAccount(sandbox, { name, digest: name, datasets: statesOnly }),
    );
    const store = new MemoryStore();
    let wanted = settings;
    const scrubber = scrubberOf(settings);
    const log = createLog({
      ...({ level: 'error', format: 'logfmt', clock, scrubber } as const),
      destination: { write: () => {} },
    });
    const start = async () => {
      const read = () => ({
        ...{ serving: {}, labels: new LabelPolicy({}), served: ServedFamilies.lean },
        ...{ slo: defaultSloPolicy(), links: {} },
        ...{ accounts: wanted, shown: {} },
      });
      const exporter = new Exporter({
        accounts: wanted,
        configuration: runningConfiguration({
          read,
          first: read(),
          serving: defaultServing,
          log,
          scrubber,
          servingOf: () => defaultServing,
        }),
        store: {
          accounts: () => store.accounts(),
          load: (account) => store.load(account),
          readMonth: (batch) => store.readMonth(batch),
          commit: (changes) => store.commit(changes),
          close: async () => {},
        },
        listenOn: ['127.0.0.1:0'],
        telemetryPath: '/metrics',
        maxRequests: 40,
        ...{ build: { version: '0.0.0' }, clock, random: () => 0.5, scrubber, log },
        newClient: (client) => new CountedClient(client, work),
      });
      const url = await exporter.start();
      const page = async () => (await request(`${url}/metrics`)).body.text();
      return { exporter, page };
    };
    const of = (page: string, account: string) =>
      page.split('\n').filter((line) => line.includes(`account="${account}"`));
    const removed = (account: string) => `uptime_exporter_account_removed{account="${account}"} 1`;
    const outages = (page: string, account: string) =>
      of(page, account).filter((line) => /^uptime_(check|transaction)_outage_open/.test(line));

    const first = await start();
    for (let passed = 0; passed < 60; passed++) {
      await clock.advance(10_000);
      const shown = outages(await first.page(), 'second');
      const areTransactionsRead = shown.some((line) => line.startsWith('uptime_transaction'));
      if (areTransactionsRead && shown.some((line) => line.endsWith(' 1'))) break;
    }
    const before = outages(await first.page(), 'second');
    expect(before.some((line) => line.endsWith(' 1'))).toBe(true);
    wanted = settings.filter(({ name }) => name !== 'second');
    await first.exporter.reload();
    const over = before.map((line) => line.replace(/ \d$/, ' 0')).sort();
    const shown = [...over, removed('second')].sort();
    expect(of(await first.page(), 'second').sort()).toEqual(shown);
    await first.exporter.stop();

    wanted = settings.filter(({ name }) => name === 'first');
    const second = await start();
    expect(of(await second.page(), 'second').sort()).toEqual(shown);
    expect(outages(await second.page(), 'third').length).toBe(over.length);
    expect(outages(await second.page(), 'third').every((line) => line.endsWith(' 0'))).toBe(true);
    expect(await second.page()).toContain(removed('third'));
    await second.exporter.stop();

    await clock.advance(24.5 * hour * 1000);
    const later = await start();
    expect(of(await later.page(), 'second')).toEqual([removed('second')]);
    await later.exporter.stop();
    await clock.advance(hour * 1000);
    const third = await start();
    expect(of(await third.page(), 'second')).toEqual([]);
    await third.exporter.stop();
  });
}

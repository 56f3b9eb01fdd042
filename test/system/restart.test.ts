import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { StoreError } from '../../src/store/store-error.ts';
import type { EventTally } from '../../src/tally/event-tally.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startExporter } from '../support/exporter-command.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkResults, checkStates } from '../support/service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from '../support/shown-totals.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const hour = 60 * minute;
const token = 'sandbox-token-1234567890';

const lastSuccess =
  'uptime_exporter_dataset_last_success_timestamp_seconds{account="shop",dataset="checks"}';

async function expectTheTruth(exporter: RestartableExporter): Promise<void> {
  const samples = await exporter.scrape();
  const { items } = await exporter.disk.load('shop');
  expect(items.check.size).toBe(exporter.sandbox.world.checks.length);
  for (const [id, item] of items.check) {
    const { seconds, outages } = checkStates(exporter.sandbox, id, bookedSpan(item), exporter.now);
    expect({ id, ...shownOf(samples, 'check', 'shop', id) }).toEqual({ id, seconds, outages });
    const results = checkResults(exporter.sandbox, id, readSpan(item));
    expect(shownResults(samples, 'shop', id)).toEqual(results);
  }
}

/** The times at which the counters of the alerts and of each item begin. */
async function startsOf({ disk }: RestartableExporter): Promise<Map<string, number | undefined>> {
  const { items, documents } = await disk.load('shop');
  const alerts = documents.get('alerts') as unknown as EventTally | undefined;
  const starts = Object.entries(items).flatMap(([kind, stored]) =>
    [...stored].map(([id, { states }]) => [`${kind} ${id}`, states.startSeconds] as const),
  );
  return new Map([...starts, ['alerts', alerts?.watermark.startSeconds]]);
}

describe('after a crash', () => {
  test('the page is served at once with its true age, and nothing is asked before it is due', async () => {
    // Every list is read at its first attempt.
    const wire = { stray401: 0, stray403: 0 };
    const exporter = await RestartableExporter.create({ checks: 4, wire });
    const lastRead = async () => (await exporter.scrape()).get(lastSuccess) ?? Number.NaN;
    await exporter.start();
    await exporter.pass(2 * hour);
    const halfOfInterval = minute / 2;
    await exporter.pass((minute + halfOfInterval - (exporter.now - (await lastRead()))) % minute);
    const before = await exporter.page();
    const readAt = await lastRead();
    await exporter.crash();
    await exporter.pass(10);
    const asked = exporter.sandbox.journal.countOfOperation('list_checks');

    await exporter.start();
    const page = await exporter.page();

    // What a list had beside the checks that are monitored is known with the next one.
    const own =
      /^(?:# (?:HELP|TYPE|UNIT) )?(?:uptime_exporter_|uptime_listed_checks|process_|nodejs_)/;
    /** Windows end now, so that their values change as time passes. */
    const windowed = /^(uptime_\w+_(?:error_ratio|burn_rate|error_budget_\w+)\{.*\}) \S+$/;
    const data = (text: string) =>
      text
        .split('\n')
        .filter((line) => !own.test(line))
        .map((line) => line.replace(windowed, '$1'));
    expect(data(page)).toEqual(data(before));
    expect(await lastRead()).toBe(readAt);
    expect(exporter.now - readAt).toBeGreaterThanOrEqual(halfOfInterval);
    await exporter.pass(minute - 1 - (exporter.now - readAt));
    expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBe(asked);
    await exporter.pass(12);
    expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBe(asked + 1);
  });

  test('data that are too old by then are not shown, but counters are', async () => {
    const exporter = await RestartableExporter.create({ checks: 4 });
    await exporter.start();
    await exporter.pass(hour);
    const before = await exporter.scrape();
    await exporter.crash();
    exporter.sandbox.faults.inject({ kind: 'status-503' });
    await exporter.pass(hour);

    await exporter.start();
    const samples = await exporter.scrape();

    const [id = 0] = exporter.sandbox.world.checks.map((check) => check.id);
    const status = `uptime_check_status{account="shop",check_id="${id}",status="up"}`;
    expect(before.has(status)).toBe(true);
    expect(samples.has(status)).toBe(false);
    expect(shownOf(samples, 'check', 'shop', id)).toEqual(shownOf(before, 'check', 'shop', id));
    expect(samples.get(lastSuccess)).toBe(before.get(lastSuccess));
  });

  test('what the first list brought is shown again, and counts from when it was first seen', async () => {
    const exporter = await RestartableExporter.create({ checks: 4, transactions: 2 });
    const [unknown = 0] = exporter.sandbox.world.checks.map(({ id }) => id);
    const from = exporter.now - minute;
    exporter.sandbox.world.plant({ checkId: unknown, status: 'unknown', from, to: from + hour });
    await exporter.start();
    await exporter.pass(10);
    const before = await exporter.scrape();
    const asked = exporter.sandbox.journal.countOfOperation('list_checks');
    const items = /^uptime_(?:check_status|check_state_seconds|transaction_state)/;
    const shown = [...before].filter(([series]) => items.test(series));
    expect(shown.length).toBeGreaterThan(6);
    const starts = await startsOf(exporter);
    expect([...starts.values()]).not.toContain(undefined);
    await exporter.crash();

    await exporter.start();
    const after = await exporter.scrape();

    expect([...after].filter(([series]) => items.test(series))).toEqual(shown);
    expect(exporter.sandbox.journal.countOfOperation('list_checks')).toBe(asked);
    await exporter.pass(3 * minute);
    await exporter.crash();
    await exporter.start();
    await exporter.pass(3 * minute);
    expect(await startsOf(exporter)).toEqual(starts);
  });

  test.each([
    ['nothing', 4],
    ['much', 150],
  ])('a loop of 20 crashes does not spend the budget when %s is due', async (_due, checks) => {
    const exporter = await RestartableExporter.create({
      checks,
      shortLimit: 400,
      longLimit: 72_000,
    });
    await exporter.start();
    await exporter.pass(extent(0.75, 2) * hour);
    const { journal } = exporter.sandbox;
    const [asked, minutes] = [journal.total, extent(30, 60)];
    await exporter.pass(minutes * minute);
    const perMinute = (journal.total - asked) / minutes;
    const before = journal.total;

    for (let crash = 0; crash < 20; crash++) {
      await exporter.crash();
      await exporter.start();
      await exporter.pass(15);
    }

    // Each of the three classes may be 5 ahead.
    expect(journal.total - before).toBeLessThanOrEqual(5 * perMinute + 15);
    expect(journal.countOfStatus(429)).toBe(0);
  });

  const replies = [
    'status-500',
    'unauthorized',
    'forbidden',
    'reset-before-headers',
    'html',
  ] as const;
  test.each(casesOf(replies, 0))(
    'a loop of 20 crashes does not spend the budget on responses such as %s',
    async (kind) => {
      const exporter = await RestartableExporter.create({
        checks: 20,
        shortLimit: 400,
        longLimit: 72_000,
      });
      await exporter.start();
      await exporter.pass(extent(0.5, 2) * hour);
      const { faults, journal } = exporter.sandbox;
      faults.inject({ kind });
      const before = journal.total;

      for (let crash = 0; crash < 20; crash++) {
        await exporter.crash();
        await exporter.start();
        await exporter.pass(15);
      }

      // Four fifths of 72,000 in 30 days are 80 an hour, so 7 in 5 minutes; each class may be 5
      // ahead.
      expect(journal.total - before).toBeLessThanOrEqual(7 + 15);
    },
  );

  test('a loop of 20 crashes asks nothing while the budget is spent', async () => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      shortLimit: 400,
      longLimit: 72_000,
    });
    const { journal, limits } = exporter.sandbox;
    await exporter.start();
    await exporter.pass(10 * minute);
    limits.otherClientSpends(limits.reading('short').remaining - 40);
    await exporter.pass(5 * minute);
    const before = journal.total;

    for (let crash = 0; crash < 20; crash++) {
      await exporter.crash();
      await exporter.start();
      await exporter.pass(minute);
    }

    expect(journal.total).toBe(before);
    expect(limits.reading('short').remaining).toBeGreaterThan(0);
  });

  test('a loop of 20 crashes in which no request succeeds sends no burst', async () => {
    const exporter = await RestartableExporter.create({ checks: 4 });
    const { faults, journal } = exporter.sandbox;
    faults.inject({ kind: 'html' });
    for (let crash = 0; crash < 20; crash++) {
      await exporter.start();
      await exporter.pass(15);
      await exporter.crash();
    }

    // The budget is unknown: the configured 100 an hour, for 5 minutes.
    expect(journal.total).toBeGreaterThan(0);
    expect(journal.total).toBeLessThanOrEqual(9);
  });

  test('a loop of 20 crashes of an exporter that has nothing stored yet sends no burst either', async () => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      shortLimit: 400,
      longLimit: 72_000,
    });
    for (let crash = 0; crash < 20; crash++) {
      await exporter.start();
      await exporter.pass(15);
      await exporter.crash();
    }

    const { journal, limits } = exporter.sandbox;
    expect(limits.reading('short').remaining).toBeGreaterThan(400 - 80);
    expect(journal.countOfOperation('list_checks')).toBeLessThanOrEqual(7);
    expect(journal.countOfStatus(429)).toBe(0);
  });
});

describe('while the disk is full', () => {
  test.each(['unknown', 'paused'] as const)(
    'what a list shows of time %s is kept',
    async (what) => {
      const exporter = await RestartableExporter.create({ checks: 2, datasets: statesOnly });
      const { disk, sandbox } = exporter;
      const [check] = sandbox.world.checks;
      if (check === undefined) throw new Error('the sandbox has no check');
      const started = exporter.now;
      const [from, to] = [started + 3600, started + 3600 + 70];
      const phaseSeconds = (started + 30) % 60;
      const run = { from: check.created, resolutionSeconds: 60, phaseSeconds };
      sandbox.world.plant({
        checkId: check.id,
        status: 'up',
        from: started - hour,
        to: started + 5 * hour,
      });
      if (what === 'unknown') {
        sandbox.world.plant({ checkId: check.id, status: 'unknown', from, to });
        sandbox.world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
      } else {
        const runs = [
          { ...run, to: from },
          { ...run, from: to },
        ];
        sandbox.world.registry.put({ ...check, resolutionMinutes: 1, runs });
      }
      await exporter.start();
      await exporter.pass(from - exporter.now + 25);

      disk.failWith(new StoreError('full', 'no space is left on the device'));
      await exporter.pass(65);
      disk.failWith(undefined);
      await exporter.pass(hour);

      await expectTheTruth(exporter);
    },
  );
});

describe('the process', () => {
  const start = (path: string, url: string) =>
    startExporter(['--web.listen-address=127.0.0.1:0', `--storage.path=${path}`], {
      UPTIME_API_BASE_URL: url,
      UPTIME_API_TOKEN: token,
    });

  const listRead = /first refresh succeeded.*dataset=checks/;

  async function runUntil(path: string, url: string, pattern: RegExp): Promise<string> {
    const child = start(path, url);
    await child.until(pattern);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    return child.output();
  }

  test('is refused a store that another process uses', async () => {
    const { sandbox } = await RestartableExporter.create({ checks: 2 });
    const path = await temporaryFolder();
    const first = start(path, sandbox.url);
    await first.until(/serving metrics/);

    const second = start(path, sandbox.url);

    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/another process uses the store .* stop it, or choose another/);
    expect(second.output()).not.toMatch(/^\s+at /m);
    const [, address = ''] = await first.until(/address=([\d.:]+)/);
    expect((await request(`http://${address}/-/healthy`)).statusCode).toBe(200);
  });

  const noiseFrom = async (file: string, start: number) => {
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('noise', start));
  };
  const damages: [string, (file: string) => Promise<void>][] = [
    ['cut in half', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
    ['cut to a few bytes', (file) => truncate(file, 100)],
    ['overwritten with noise', (file) => noiseFrom(file, 0)],
    ['overwritten with noise behind its first pages', (file) => noiseFrom(file, 8192)],
  ];
  test.each(casesOf(damages, 0))(
    'starts, loudly, with a store that was %s',
    async (_how, damage) => {
      const { sandbox } = await RestartableExporter.create({ checks: 2 });
      const path = await temporaryFolder();
      expect(await runUntil(path, sandbox.url, listRead)).not.toContain('set aside');
      await damage(join(path, 'uptime.db'));

      const output = await runUntil(path, sandbox.url, /serving metrics/);

      expect(output).toMatch(/level=error msg="?database set aside; .* moved_to=/);
      expect((await readdir(path)).some((name) => name.startsWith('uptime.db.damaged-'))).toBe(
        true,
      );
      expect(await runUntil(path, sandbox.url, /serving metrics/)).not.toContain('set aside');
    },
  );
});

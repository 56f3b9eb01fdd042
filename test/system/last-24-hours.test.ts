import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { StoreError } from '../../src/store/store-error.ts';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const hour = 60 * minute;

interface Day {
  readonly id: number;
  readonly seconds: Readonly<Record<string, number>>;
  readonly spans: readonly { readonly state: string; readonly from: number; readonly to: number }[];
}

/** The states, keyed by the ends of their spans, because the start of the 24 hours moves. */
function endsOf(days: Awaited<ReturnType<typeof daysOf>>) {
  return days.map(({ id, spans }) => ({
    id,
    spans: spans.map(({ state, to }) => ({ state, to })),
  }));
}

async function daysOf(exporter: RestartableExporter): Promise<readonly Day[]> {
  const { body } = await request(`${exporter.url}/status.json`);
  const { accounts } = (await body.json()) as {
    readonly accounts: readonly { readonly checks: { readonly last_24_hours: readonly Day[] } }[];
  };
  return accounts[0]?.checks.last_24_hours ?? [];
}

/** Checks that fail every 40 minutes and are unknown in between. */
async function troubledExporter(options: Parameters<typeof RestartableExporter.create>[0] = {}) {
  const exporter = await RestartableExporter.create({
    checks: 3,
    datasets: statesOnly,
    ...options,
  });
  const { world } = exporter.sandbox;
  for (const [position, { id }] of world.checks.entries()) {
    world.plant({
      checkId: id,
      status: 'up',
      from: exporter.now - hour,
      to: exporter.now + 60 * hour,
    });
    for (let start = 20; start < 6 * 60; start += 40) {
      const from = exporter.now + (start + position) * minute;
      world.plant({ checkId: id, status: 'down', from, to: from + 7 * minute });
      world.plant({
        checkId: id,
        status: 'unknown',
        from: from + 20 * minute,
        to: from + 25 * minute,
      });
    }
  }
  return exporter;
}

async function expectTheTruth(exporter: RestartableExporter, startSeconds: number): Promise<void> {
  const days = await daysOf(exporter);
  expect(days).toHaveLength(3);
  for (const { id, seconds, spans } of days) {
    const [fromSeconds = 0, toSeconds = 0] = [spans[0]?.from, spans.at(-1)?.to];
    const truth = checkStates(exporter.sandbox, id, { fromSeconds, toSeconds }, exporter.now);
    const betweenTests = minute * (exporter.sandbox.world.check(id)?.resolutionMinutes ?? 0);
    expect({ id, seconds }).toEqual({ id, seconds: truth.seconds });
    expect(fromSeconds - startSeconds).toBeLessThan(2 * minute);
    // A failure that is not confirmed yet waits for one more test.
    expect(exporter.now - toSeconds).toBeLessThan(2 * betweenTests + 5 * minute);
    for (const [place, { from }] of spans.entries()) {
      if (place > 0) expect(from).toBe(spans[place - 1]?.to);
    }
  }
}

describe('the last 24 hours', () => {
  test('are after a crash as they were, and the gap is filled in', async () => {
    const exporter = await troubledExporter();
    const started = exporter.now;
    await exporter.start();
    await exporter.pass(extent(1.5, 3) * hour);
    const before = await daysOf(exporter);
    expect(before.map(({ seconds }) => seconds.down ?? 0)).not.toContain(0);

    await exporter.crash();
    await exporter.start();
    expect(await daysOf(exporter)).toEqual(before);

    await exporter.crash();
    await exporter.pass(extent(1, 2) * hour);
    await exporter.start();
    await exporter.pass(hour);
    await expectTheTruth(exporter, started);
  });

  test.each(['before', 'after'] as const)(
    'are what happened, with crashes %s commits reach the disk',
    async (moment) => {
      let commits = 0;
      let crashing = true;
      const exporter = await troubledExporter({
        moments: {
          [moment]: async () => (++commits % 23 === 0 && crashing ? 'crash' : 'go on'),
        },
      });
      const started = exporter.now;
      await exporter.start();
      for (let part = 0; part < extent(24, 60); part++) {
        await exporter.pass(5 * minute);
        if (exporter.running) continue;
        await exporter.crash();
        await exporter.start();
      }
      expect(commits).toBeGreaterThan(extent(4, 10) * 23);

      crashing = false;
      await exporter.pass(30 * minute);
      await expectTheTruth(exporter, started);
    },
  );

  test('are what is durable while the disk is full, and complete afterwards', async () => {
    const exporter = await troubledExporter();
    const started = exporter.now;
    await exporter.start();
    await exporter.pass(hour);
    const before = endsOf(await daysOf(exporter));

    exporter.disk.failWith(new StoreError('full', 'no space is left on the device'));
    await exporter.pass(extent(1, 2) * hour);
    expect(endsOf(await daysOf(exporter))).toEqual(before);

    exporter.disk.failWith(undefined);
    await exporter.pass(hour);
    await expectTheTruth(exporter, started);
  });
});

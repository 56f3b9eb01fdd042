import { expect } from 'vitest';
import { changedTransaction } from '../../sandbox/src/account/transactions.ts';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { reportedStates } from '../../sandbox/src/simulation/transaction-states.ts';
import type { Wire } from '../../sandbox/src/wire.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { RestartableExporter } from './restartable-exporter.ts';
import { transactionStatesTruth } from './service-truth.ts';
import { bookedSpan, shownOf } from './shown-totals.ts';
import { statesOnly } from './states-only.ts';
import { windowVerdict } from './window-truth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Seconds until a report has a run, which it has only after the run ended. */
const settlingSeconds = 300;
const longestPollSeconds = 1800;

export const reportForms: readonly [string, Partial<Wire>][] = [
  ['end with the last run', {}],
  ['end now', { reportsEnd: 'now' }],
];
export const intervals = [5, 10, 20, 60, 720, 1440] as const;

export interface Life {
  readonly interval: (typeof intervals)[number];
  readonly wire: Partial<Wire>;
  readonly seed: number;
  readonly days: number;
}

/**
 * Transactions fail, become inactive and active again, while the exporter stops and starts. Their
 * ratios are right at each moment.
 */
export async function live({ interval, wire, seed, days }: Life): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    seed,
    checks: 1,
    transactions: 3,
    wire,
    shortLimit: 400,
    longLimit: 72_000,
    account: { datasets: statesOnly },
  });
  const { transactions } = exporter.sandbox.world;
  let draws = 0;
  const chance = () => hashUnit(seed, interval, ++draws);
  const begin = exporter.now;
  const end = begin + days * day;
  for (const transaction of transactions.all) {
    transactions.put(changedTransaction(transaction, { interval, active: true }, exporter.now));
    for (let n = 0; n < 4; n++) {
      const from = Math.floor(begin + chance() * (end - begin));
      const to = from + 1 + Math.floor(chance() * 3 * Math.max(hour, interval * minute));
      const status = chance() < 0.8 ? 'down' : 'unknown';
      exporter.sandbox.world.plant({ checkId: transaction.id, status, from, to });
    }
  }
  await exporter.start();
  while (exporter.now < end) {
    await exporter.pass(chance() * (days / 6) * day);
    const { wrong } = await windowVerdict(exporter, await exporter.scrape());
    expect(wrong).toEqual([]);
    const { id } = transactions.all[Math.floor(chance() * 3)] ?? { id: 0 };
    const transaction = transactions.find(id);
    if (transaction !== undefined && chance() < 0.6) {
      const { active } = transaction.settings;
      transactions.put(changedTransaction(transaction, { active: !active }, exporter.now));
    }
    if (chance() < 0.4) {
      await exporter.stop();
      await exporter.pass(chance() * (days / 8) * day);
      await exporter.start();
    }
  }
  return exporter;
}

function statesReportedAt({ world, history }: Sandbox, id: number, now: number) {
  const transaction = world.transactions.find(id);
  if (transaction === undefined) throw new Error(`the sandbox has no transaction ${id}`);
  return reportedStates(history, transaction, { from: now - 9 * day, to: now }, now, world.wire);
}

/** Everything that a report can contain by now is counted, and equals the service's numbers. */
export async function expectReported(exporter: RestartableExporter): Promise<void> {
  const { sandbox, now } = exporter;
  const { items } = await exporter.disk.load('shop');
  const samples = await exporter.scrape();
  expect(items.transaction.size).toBe(3);
  for (const [id, item] of items.transaction) {
    const span = bookedSpan(item);
    const { seconds, outages } = transactionStatesTruth(sandbox, id, span, now);
    expect({ id, ...shownOf(samples, 'transaction', 'shop', id) }).toEqual({
      id,
      seconds,
      outages,
    });
    const polled = now - longestPollSeconds;
    const reported = statesReportedAt(sandbox, id, polled).at(-1)?.to ?? 0;
    expect(span.toSeconds).toBeGreaterThanOrEqual(Math.min(reported, polled - settlingSeconds));
  }
  expect((await windowVerdict(exporter, samples)).wrong).toEqual([]);
  expect(exporter.watch.backsteps).toEqual([]);
}

/** Waits until every transaction was run and read once more. */
export async function untilRun(exporter: RestartableExporter, interval: number): Promise<void> {
  await exporter.pass(Math.min(day, interval * minute) + longestPollSeconds + settlingSeconds);
}

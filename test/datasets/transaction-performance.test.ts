import { describe, expect, test } from 'vitest';
import { refreshTransactionPerformance } from '../../src/datasets/transaction-performance.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { transactionsRefresh } from './support/dataset-refreshes.ts';
import { startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

test('performance is not asked for before a report has told of a run', async () => {
  const list = { checks: [{ id: 50, name: 'buy', status: 'successful' }] };
  const run = { status: 'up', from: iso(startSeconds - 60), to: iso(startSeconds + 600) };
  const { reader, requests } = scriptedReader(
    ...[list, { report: [] }],
    ...[list, { report: [{ check_id: 50, states: [run] }] }],
    { report: { check_id: 50, intervals: [] } },
  );
  const { context, clock } = watchCheck(reader);
  const [transactions, performance] = [
    transactionsRefresh(context),
    refreshTransactionPerformance(context),
  ];

  await transactions(0, signal);
  expect(await performance(50, signal)).toMatchObject({ isTooEarly: true });
  expect(requests).toHaveLength(2);

  await clock.advance(600_000);
  await transactions(0, signal);
  expect(await performance(50, signal)).not.toHaveProperty('isTooEarly');
  expect(requests).toHaveLength(5);
});

describe('a transaction that runs every 12 hours', () => {
  const [hour, interval] = [3_600, 12 * 3_600];
  const run = startSeconds - 3 * hour + 300;
  const first = startSeconds - 3 * hour;
  const entry = { id: 50, name: 'buy', status: 'successful', interval: interval / 60 };
  const up = (startAtSeconds: number, average?: number) => ({
    ...{ from: iso(startAtSeconds), uptime: hour, downtime: 0, unmonitored: 0 },
    ...(average !== undefined && { average_response: average }),
    steps: [{ step: { fn: 'click', args: {} }, average_response: average }],
  });
  const statesUntil = (seconds: number) => ({
    report: [{ check_id: 50, states: [{ status: 'up', from: iso(run), to: iso(seconds) }] }],
  });
  const intervals = (...hours: readonly object[]) => ({
    report: { check_id: 50, intervals: hours },
  });

  /** Reads the list, the states until then, and the hours; each ten minutes later. */
  async function readAll(...reports: readonly (readonly [number, object])[]) {
    const { reader, requests } = scriptedReader(
      ...reports.flatMap(([until, hours]) => [{ checks: [entry] }, statesUntil(until), hours]),
    );
    const { context, clock, state } = watchCheck(reader);
    const [transactions, performance] = [
      transactionsRefresh(context),
      refreshTransactionPerformance(context),
    ];
    for (const [until] of reports) {
      await clock.advance(1000 * (until + 600) - clock.now());
      await transactions(0, signal);
      await performance(50, signal);
    }
    return { shown: state.transactions.get(50)?.details.performance?.value, requests };
  }

  test('shows the hour of its last run, not the newest one, in which nothing was measured', async () => {
    const { shown } = await readAll([
      startSeconds,
      intervals(up(first, 2_500), up(first + hour), up(first + 2 * hour)),
    ]);

    expect(shown).toMatchObject({ startAtSeconds: first, averageResponseTimeSeconds: 2.5 });
  });

  test('keeps that hour while later reports have no run', async () => {
    const { shown } = await readAll(
      [startSeconds, intervals(up(first, 2_500), up(first + hour), up(first + 2 * hour))],
      [startSeconds + hour, intervals(up(first + 2 * hour), up(first + 3 * hour))],
    );

    expect(shown).toMatchObject({ startAtSeconds: first, averageResponseTimeSeconds: 2.5 });
  });

  test('does not ask again for hours that are known', async () => {
    const hours = intervals(up(first, 2_500), up(first + hour), up(first + 2 * hour));
    const { requests } = await readAll([startSeconds, hours], [startSeconds + 60, hours]);

    expect(requests).toHaveLength(5);
  });

  test('shows the newest hour once it has failed', async () => {
    const failed = { ...up(first + 3 * hour), uptime: 0, downtime: hour };
    const { shown } = await readAll(
      [startSeconds, intervals(up(first, 2_500), up(first + hour), up(first + 2 * hour))],
      [startSeconds + hour, intervals(up(first + 2 * hour), failed)],
    );

    expect(shown).toMatchObject({ startAtSeconds: first + 3 * hour, downSeconds: hour });
  });

  test('shows the newest hour when a run was due in it and none was measured', async () => {
    const none = Array.from({ length: 14 }, (_, place) => up(first + (place + 1) * hour));
    const { shown } = await readAll([first + 15 * hour, intervals(up(first, 2_500), ...none)]);

    expect(shown).toMatchObject({ startAtSeconds: first + 14 * hour });
  });
});

import { expect, test } from 'vitest';
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

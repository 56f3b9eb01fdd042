import { expect, test } from 'vitest';
import { RequestLog } from '../../src/api/request-log.ts';
import { budgetWith } from '../support/snapshots.ts';

const attempt = {
  operation: 'checks',
  path: 'checks',
  code: '200',
  durationSeconds: 0.2,
  responseBytes: 10,
};

test('the log has what was left after each request, the newest first', () => {
  const log = new RequestLog();
  log.record(attempt, { windows: {} }, 100);
  log.record({ ...attempt, path: 'summary.outage/7', code: 'timeout' }, budgetWith(), 101);

  expect(log.read()).toEqual([
    {
      path: 'summary.outage/7',
      code: 'timeout',
      durationSeconds: 0.2,
      responseBytes: 10,
      ...{ endedAtSeconds: 101, left: { short: 312, long: 51_840 } },
    },
    {
      path: 'checks',
      code: '200',
      durationSeconds: 0.2,
      responseBytes: 10,
      ...{ endedAtSeconds: 100, left: {} },
    },
  ]);
});

test('the log keeps the last 50 requests', () => {
  const log = new RequestLog();
  for (let at = 0; at < 1_000; at++) log.record(attempt, { windows: {} }, at);

  expect(log.read().map(({ endedAtSeconds }) => endedAtSeconds)).toEqual(
    Array.from({ length: 50 }, (_, place) => 999 - place),
  );
});

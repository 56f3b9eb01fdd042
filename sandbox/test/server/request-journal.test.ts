import { expect, test } from 'vitest';
import { RequestJournal } from '../../src/server/request-journal.ts';

function arrive(journal: RequestJournal, time: number, operation: string | undefined = 'checks') {
  return journal.arrived({ operation, path: '/api/3.1/checks', query: {}, time });
}

test('a request has no status before its response', () => {
  const journal = new RequestJournal();

  const answered = arrive(journal, 5);
  expect(journal.recent.map(({ status }) => status)).toEqual([undefined]);
  answered(200);

  expect(journal.recent).toEqual([
    { operation: 'checks', path: '/api/3.1/checks', query: {}, time: 5, status: 200 },
  ]);
});

test('the last 10,000 requests are remembered, and all are counted', () => {
  const journal = new RequestJournal();

  for (let time = 0; time < 25_000; time++) {
    arrive(journal, time, time % 5 === 0 ? 'credits' : 'checks')(time % 2 === 0 ? 200 : 429);
  }

  expect(journal.recent).toHaveLength(10_000);
  expect(journal.recent[0]?.time).toBe(15_000);
  expect(journal.recent.at(-1)?.time).toBe(24_999);
  expect(journal.total).toBe(25_000);
  expect(journal.countOfOperation('credits')).toBe(5000);
  expect(journal.countOfOperation('checks')).toBe(20_000);
  expect(journal.countOfStatus(429)).toBe(12_500);
  expect(journal.countOfStatus(500)).toBe(0);
});

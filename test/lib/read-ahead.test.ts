import { expect, test } from 'vitest';
import { readAhead } from '../../src/lib/read-ahead.ts';

test('the next read has begun while a result is used, and no other', async () => {
  const begun: number[] = [];
  const reads = [1, 2, 3].map((one) => async () => {
    begun.push(one);
    return one;
  });
  const seen: unknown[] = [];
  for await (const result of readAhead(reads)) seen.push([result, [...begun]]);
  expect(seen).toEqual([
    [1, [1, 2]],
    [2, [1, 2, 3]],
    [3, [1, 2, 3]],
  ]);
});

test('a read that fails ends the others, and rejects where its result is used', async () => {
  const reads = [async () => 1, () => Promise.reject(new Error('gone')), async () => 3];
  const results = readAhead(reads);
  expect(await results.next()).toEqual({ done: false, value: 1 });
  await expect(results.next()).rejects.toThrow('gone');
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

test('a failure after the user has stopped is no unhandled rejection', async () => {
  const results = readAhead([async () => 1, () => Promise.reject(new Error('gone'))]);
  for await (const _ of results) break;
});

test('no reads have no results', async () => {
  for await (const _ of readAhead([])) expect.unreachable();
});

import { expect, test } from 'vitest';
import { defaultTimeouts, timeoutsWith } from '../../../src/api/http/limits.ts';

test('a timeout that is longer than the usual total takes effect', () => {
  expect(timeoutsWith({ headers: 45_000 })).toEqual({
    ...defaultTimeouts,
    headers: 45_000,
    total: 45_000,
  });
});

test('a total that is given is the total', () => {
  expect(timeoutsWith({ total: 20_000 })).toEqual({ ...defaultTimeouts, total: 20_000 });
  expect(timeoutsWith()).toEqual(defaultTimeouts);
});

import { describe, expect, test } from 'vitest';
import { requestProblems } from './support/request-law.ts';

const takes = [
  { replica: 'a', at: 0 },
  { replica: 'b', at: 10_000 },
];

function request(replica: string, at: number, end = at + 10) {
  return { replica, at, end };
}

describe('the requests for an account', () => {
  test('may come from the former holder up to its concurrency', () => {
    const requests = [
      ...[5, 100, 9_000].map((at) => request('a', at)),
      ...[10_010, 11_000].map((at) => request('b', at)),
      ...[10_020, 10_021].map((at) => request('a', at)),
    ];
    expect(requestProblems(requests, takes, 2)).toEqual([]);
  });

  test('show a former holder that goes on', () => {
    const requests = [
      request('b', 10_010),
      ...[10_020, 12_000, 14_000].map((at) => request('a', at)),
    ];
    expect(requestProblems(requests, takes, 2)).toEqual([
      'after b took the account at 10000 ms, a sent 3 requests',
    ]);
  });

  test('show a replica that asks before it took the account', () => {
    expect(requestProblems([request('b', 5_000)], takes, 0)).toEqual([
      'after a took the account at 0 ms, b sent 1 requests',
    ]);
  });

  test('are not judged before the first take is known', () => {
    expect(requestProblems([request('b', 5_000)], [], 0)).toEqual([]);
  });

  test('show a first request that is not alone', () => {
    const requests = [request('b', 10_010, 10_100), request('b', 10_050)];
    expect(requestProblems(requests, takes, 2)).toEqual([
      'the first request of b after its take at 10000 ms was not alone',
    ]);
  });
});

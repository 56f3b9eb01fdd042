import { describe, expect, test } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../src/api/errors.ts';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { Refusals } from '../../src/state/refusals.ts';

const [second, minute] = [1000, 60_000];

function error(reason: ApiErrorReason): ApiError {
  return new ApiError({ reason, operation: 'list_checks', message: 'HTTP 401: no' });
}

function setUp() {
  const refusals = new Refusals();
  refusals.succeeded();
  const reasonAt = (dataset: DatasetName, reason: ApiErrorReason, at: number) =>
    refusals.judged(dataset, error(reason), at).reason;
  return { refusals, reasonAt };
}

describe('a 401 of the API', () => {
  test('of one check list is not the fault of the credentials', () => {
    const { refusals, reasonAt } = setUp();

    expect(reasonAt('checks', 'unauthorized', 0)).toBe('refused');
    expect(reasonAt('checks', 'unauthorized', 29 * second)).toBe('refused');
    expect(refusals.isUnauthorized).toBe(false);
  });

  test('of two check lists 30 s apart is', () => {
    const { refusals, reasonAt } = setUp();
    reasonAt('checks', 'unauthorized', 0);

    expect(reasonAt('checks', 'unauthorized', 30 * second)).toBe('unauthorized');
    expect(reasonAt('credits', 'unauthorized', 31 * second)).toBe('unauthorized');
    expect(refusals.isUnauthorized).toBe(true);
  });

  test('of other datasets never is, however often', () => {
    const { reasonAt } = setUp();
    for (let n = 0; n < 20; n++) {
      expect(reasonAt('credits', 'unauthorized', n * minute)).toBe('refused');
    }
  });

  test('of credentials that were never accepted is, at once, although more requests must show it', () => {
    const refusals = new Refusals();

    expect(refusals.judged('credits', error('unauthorized'), 0).reason).toBe('unauthorized');
    expect(refusals.judged('checks', error('unauthorized'), second).reason).toBe('unauthorized');
    expect(refusals.isUnauthorized).toBe(false);
    expect(refusals.judged('checks', error('blocked'), 2 * second).reason).toBe('blocked');
  });

  test('is forgotten after a success of any request, but not after another failure', () => {
    const { refusals, reasonAt } = setUp();
    reasonAt('checks', 'unauthorized', 0);
    refusals.succeeded();
    expect(reasonAt('checks', 'unauthorized', minute)).toBe('refused');

    expect(reasonAt('checks', 'timeout', 2 * minute)).toBe('timeout');
    expect(reasonAt('checks', 'unauthorized', 3 * minute)).toBe('unauthorized');
    refusals.succeeded();
    expect(refusals.isUnauthorized).toBe(false);
  });

  test('keeps the message of the service', () => {
    const judged = setUp().refusals.judged('checks', error('unauthorized'), 0);

    expect(judged).toMatchObject({ message: 'list_checks: HTTP 401: no', reason: 'refused' });
  });
});

describe('a refusal on the way', () => {
  test('may be the fault of the credentials after ten without a success', () => {
    const { refusals, reasonAt } = setUp();
    for (let n = 1; n < 10; n++) expect(reasonAt('checks', 'blocked', n)).toBe('blocked');

    expect(reasonAt('results', 'blocked', 10)).toBe('blocked_or_unauthorized');
    refusals.succeeded();
    expect(reasonAt('checks', 'blocked', 11)).toBe('blocked');
  });

  test('may be the fault of the credentials after 15 minutes without a success', () => {
    const { reasonAt } = setUp();
    reasonAt('checks', 'blocked', 0);

    expect(reasonAt('checks', 'blocked', 15 * minute - 1)).toBe('blocked');
    expect(reasonAt('checks', 'blocked', 15 * minute)).toBe('blocked_or_unauthorized');
  });

  test('that is reported for two datasets counts once', () => {
    const refusals = new Refusals();
    const blocked = error('blocked');
    for (let n = 0; n < 20; n++)
      refusals.judged(n % 2 === 0 ? 'checks' : 'maintenance', blocked, n);

    expect(refusals.judged('checks', blocked, 21).reason).toBe('blocked');
  });
});

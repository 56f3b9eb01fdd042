import { describe, expect, test } from 'vitest';
import { scriptedService } from '../../support/scripted-reader.ts';

const signal = new AbortController().signal;

const serviceWith = (...pages: unknown[]) => scriptedService(pages);

const entries = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }));

describe('listing checks', () => {
  test('asks for tags and severity, and for as many as a page may hold', async () => {
    const { service, requests } = serviceWith({ checks: [], counts: { total: 0 } });

    const listing = await service.listChecks(signal);

    expect(listing).toEqual({ items: [], rejected: [] });
    expect(requests).toEqual([
      {
        operation: 'list_checks',
        path: 'checks',
        query: { include_tags: true, include_severity: true, limit: 25_000, offset: 0 },
        signal,
      },
    ]);
  });

  test('continues while the total is larger than the number of entries', async () => {
    const counts = { total: 5, limited: 2, filtered: 5 };
    const { service, requests } = serviceWith(
      { checks: entries(1, 2), counts },
      { checks: entries(2, 2), counts },
      { checks: entries(3, 3), counts },
    );

    const { items } = await service.listChecks(signal);

    expect(items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(requests.map(({ query }) => query?.offset)).toEqual([0, 1, 2]);
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['without a total', { limited: 1 }],
    ['malformed', { total: 'many' }],
    ['negative', { total: -1 }],
  ])('reads on after a full page when the counts are %s', async (_kind, counts) => {
    const { service, requests } = serviceWith(
      { checks: entries(1, 25_000), counts },
      { checks: entries(25_000, 25_000), counts },
      { checks: entries(49_999, 1), counts },
    );

    const { items } = await service.listChecks(signal);

    expect(items).toHaveLength(49_999);
    expect(requests.map(({ query }) => query?.offset)).toEqual([0, 24_999, 49_998]);
  });

  test('omits a malformed entry and reports what is wrong and where, never the value', async () => {
    const checks = [{ id: 1 }, { id: 'secret-id' }, null, { name: 'x' }, { id: 2 }];
    const { service } = serviceWith({ checks, counts: { total: 5 } });

    expect(await service.listChecks(signal)).toMatchObject({
      items: [{ id: 1 }, { id: 2 }],
      rejected: [
        { reason: 'shape', detail: 'checks[1]: id: expected a positive integer, found string' },
        { reason: 'shape', detail: 'checks[2]: expected object, found null' },
        { reason: 'shape', detail: 'checks[3]: id: expected a positive integer, found nothing' },
      ],
    });
  });

  test('keeps the first of two entries with one id on a page', async () => {
    const checks = [
      { id: 1, name: 'a' },
      { id: '1', name: 'b' },
    ];
    const { service } = serviceWith({ checks, counts: { total: 2 } });

    expect(await service.listChecks(signal)).toMatchObject({
      items: [{ name: 'a' }],
      rejected: [{ reason: 'duplicate', detail: 'checks[1]: duplicate entry' }],
    });
  });

  test.each([
    [
      'shrinks',
      [
        { checks: entries(1, 2), counts: { total: 3 } },
        { checks: entries(2, 1), counts: { total: 2 } },
      ],
    ],
    ['goes away', [{ checks: entries(1, 2), counts: { total: 3 } }, { checks: entries(2, 2) }]],
  ])('fails when the total %s', async (_how, pages) => {
    const { service } = serviceWith(...pages);
    await expect(service.listChecks(signal)).rejects.toMatchObject({
      name: 'ApiError',
      reason: 'inconsistent',
      operation: 'list_checks',
    });
  });
});

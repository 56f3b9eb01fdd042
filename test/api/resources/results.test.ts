import { describe, expect, test } from 'vitest';
import type { Reader, ReadRequest } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import { scriptedService } from '../../support/scripted-reader.ts';

const { signal } = new AbortController();

interface WireResult {
  readonly time: number;
  readonly probeid: number;
}

/** Responds as documented: newest first, at most 1000 at once, offsets up to 43200. */
function serviceOf(
  stored: () => readonly WireResult[],
  endIncluded: boolean,
  order: 'newest first' | 'oldest first' = 'newest first',
) {
  const requests: ReadRequest[] = [];
  const transport: Reader = {
    baseUrl: 'https://api.example.com',
    get: async (request) => {
      requests.push(request);
      const { from = 0, to = 0, limit = 0, offset = 0 } = request.query ?? {};
      if (Number(limit) > 1000 || Number(offset) > 43_200) throw new Error('beyond the limits');
      const end = Number(to) + (endIncluded ? 1 : 0);
      const inside = stored().filter(({ time }) => time >= Number(from) && time < end);
      if (order === 'newest first') inside.reverse();
      return { results: inside.slice(Number(offset), Number(offset) + Number(limit)) };
    },
  };
  return { service: createServiceV31(transport), requests };
}

/** Two probes every minute. */
const minutes = (count: number): WireResult[] =>
  Array.from({ length: count }, (_, index) => 60 * (index + 1)).flatMap((time) => [
    { time, probeid: 1 },
    { time, probeid: 2 },
  ]);

const query = { checkId: 12, fromSeconds: 1, toSeconds: 10_000_000 };

describe('listing results', () => {
  test.each([
    ['included', true],
    ['excluded', false],
  ])('reads beyond the largest offset, with the end of the period %s', async (_how, included) => {
    const stored = minutes(23_000);
    const { service, requests } = serviceOf(() => stored, included);

    const { items, rejected } = await service.listResults(query, signal);

    expect(rejected).toEqual([]);
    expect(items.map(({ atSeconds, probeId }) => `${atSeconds} ${probeId}`)).toEqual(
      stored.map(({ time, probeid }) => `${time} ${probeid}`),
    );
    expect(new Set(requests.map(({ query: sent }) => sent?.to)).size).toBe(2);
  });

  test('keeps the end of the period where it is while offsets suffice', async () => {
    const { service, requests } = serviceOf(() => minutes(1000), true);

    expect((await service.listResults(query, signal)).items).toHaveLength(2000);

    expect(requests.map(({ query: sent }) => [sent?.to, sent?.offset])).toEqual([
      [10_000_000, 0],
      [10_000_000, 999],
      [10_000_000, 1998],
    ]);
  });

  test('fails when results are listed oldest first, rather than leave out the newest', async () => {
    const stored = minutes(23_000);
    const { service } = serviceOf(() => stored, true, 'oldest first');
    await expect(service.listResults(query, signal)).rejects.toMatchObject({
      reason: 'shape',
      message: 'list_results: the results are not in order, newest first',
    });
  });

  test('fails when there are more results at one time than can be read', async () => {
    const stored = Array.from({ length: 45_000 }, (_, index) => ({ time: 60, probeid: index + 1 }));
    const { service } = serviceOf(() => stored, true);
    await expect(service.listResults(query, signal)).rejects.toMatchObject({
      reason: 'shape',
      message: 'list_results: too many results at one time',
    });
  });

  test('reads a few results in any order', async () => {
    const { service } = serviceOf(() => minutes(3), true, 'oldest first');
    const { items } = await service.listResults(query, signal);
    expect(items.map(({ atSeconds }) => atSeconds)).toEqual([60, 60, 120, 120, 180, 180]);
  });

  test('fails when a late result shifts the pages', async () => {
    const stored = minutes(1000);
    const { service, requests } = serviceOf(() => {
      if (requests.length === 2) stored.push({ time: 60_001, probeid: 1 });
      return stored;
    }, true);
    await expect(service.listResults(query, signal)).rejects.toMatchObject({
      reason: 'inconsistent',
    });
  });

  test('fails when the oldest results read are gone before older ones are asked for', async () => {
    let stored: readonly WireResult[] = minutes(23_000);
    const { service, requests } = serviceOf(() => {
      if (requests.at(-1)?.query?.to !== query.toSeconds) stored = minutes(100);
      return stored;
    }, true);
    await expect(service.listResults(query, signal)).rejects.toMatchObject({
      reason: 'inconsistent',
    });
  });

  test('counts a repeated result once, and reports it', async () => {
    const result = { time: 60, probeid: 1, status: 'up', responsetime: 5 };
    const { service } = scriptedService([{ results: [result, result] }]);

    expect(await service.listResults(query, signal)).toEqual({
      items: [{ atSeconds: 60, probeId: 1, status: 'up', responseTimeSeconds: 0.005 }],
      rejected: [{ reason: 'duplicate', detail: 'results[1]: duplicate entry' }],
    });
  });
});

import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/api/decoding/envelope.ts';
import { ApiError } from '../../src/api/errors.ts';
import { readList } from '../../src/api/list.ts';
import type { Reader } from '../../src/api/reader.ts';
import fc from '../support/fast-check.ts';
import { pagingReader, scriptedReader } from '../support/scripted-reader.ts';

interface Item {
  readonly id: number;
}

const form = {
  field: 'things',
  decode: (entry: unknown): Item | undefined =>
    isObject(entry) && typeof entry.id === 'number' ? { id: entry.id } : undefined,
  requiredFields: { id: 'a number' },
  keyOf: ({ id }: Item) => id,
};

const options = { operation: 'test', path: 'things', signal: new AbortController().signal, form };

const read = (reader: Reader, limit: number) => readList({ ...options, reader, limit });

const items = (from: number, to: number): Item[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

const wrap = (things: readonly unknown[]) => ({ things });

describe('reading a list page by page', () => {
  test.each([
    ['less than a page', 3, [0]],
    ['a page', 10, [0, 9]],
    ['a page and one', 11, [0, 9]],
    ['some pages', 25, [0, 9, 18]],
  ])('reads %s, each page from the last entry on', async (_what, count, offsets) => {
    const { reader, requests } = pagingReader(() => items(1, count), wrap);

    expect(await read(reader, 10)).toEqual({ items: items(1, count), rejected: [] });

    expect(requests.map(({ query }) => query)).toEqual(
      offsets.map((offset) => ({ limit: 10, offset })),
    );
  });

  test('reads nothing with one request', async () => {
    const { reader } = scriptedReader({ things: [] });
    expect(await read(reader, 10)).toEqual({ items: [], rejected: [] });
  });

  test('reads on when the service gives out smaller pages than asked for', async () => {
    const { reader, requests } = pagingReader(() => items(1, 250), wrap, 100);

    expect((await read(reader, 1000)).items).toHaveLength(250);

    expect(requests.map(({ query }) => query?.offset)).toEqual([0, 99, 198]);
  });

  test('reads on when a page has 50 entries, to which the service may cut all', async () => {
    const { reader, requests } = pagingReader(() => items(1, 120), wrap, 50);

    expect((await read(reader, 1000)).items).toHaveLength(120);

    expect(requests.map(({ query }) => query?.offset)).toEqual([0, 49, 98]);
  });

  test('takes a page longer than asked for as the whole list', async () => {
    const { reader } = scriptedReader(wrap(items(1, 300)));
    expect((await read(reader, 100)).items).toHaveLength(300);
  });

  test('goes on after a page whose last entry is malformed', async () => {
    const list = [...items(1, 4), { id: 'five' }, ...items(6, 8)];
    const { reader } = pagingReader(() => list, wrap);

    expect(await read(reader, 5)).toEqual({
      items: [...items(1, 4), ...items(6, 8)],
      rejected: [{ reason: 'shape', detail: 'things[4]: id: expected a number, found string' }],
    });
  });

  test('fails when the list ends before a malformed entry that stood in it', async () => {
    const { reader } = scriptedReader(wrap([...items(1, 4), {}]), wrap([]));
    await expect(read(reader, 5)).rejects.toMatchObject({ reason: 'inconsistent' });
  });

  test('fails when another malformed entry stands where one stood', async () => {
    const replies = [
      wrap([...items(1, 4), { id: 'five' }]),
      wrap([{ id: 'nine' }, ...items(10, 11)]),
    ];
    const { reader } = scriptedReader(...replies);
    await expect(read(reader, 5)).rejects.toMatchObject({ reason: 'inconsistent' });
  });

  test('reads on when the last item of a page is listed twice', async () => {
    const list = [...items(1, 5), ...items(5, 8)];
    const { reader } = pagingReader(() => list, wrap);

    expect(await read(reader, 5)).toEqual({
      items: items(1, 8),
      rejected: [{ reason: 'duplicate', detail: 'things[5]: duplicate entry' }],
    });
  });

  const first = wrap(items(1, 5));

  test.each([
    ['is deleted', wrap(items(6, 9))],
    ['is added in front', wrap([{ id: 4 }, ...items(5, 8)])],
    ['stands on two pages', wrap([{ id: 5 }, { id: 6 }, { id: 2 }])],
    ['takes the place of another', wrap([{ id: 50 }, { id: 6 }])],
    ['becomes malformed', wrap([{ id: 'x' }, { id: 6 }])],
  ])('fails when an item %s between two pages', async (_what, second) => {
    const { reader } = scriptedReader(first, second);
    await expect(read(reader, 5)).rejects.toMatchObject({ reason: 'inconsistent' });
  });

  test.each([
    ['comes to an end too early', wrap([])],
    ['is the same page for ever', first],
  ])('fails when the list %s', async (_what, second) => {
    const { reader } = scriptedReader(first, second);
    await expect(read(reader, 5)).rejects.toMatchObject({
      name: 'ApiError',
      reason: 'inconsistent',
      operation: 'test',
    });
  });

  test('never passes over an item that was there all the time', async () => {
    const change = fc.record({
      position: fc.nat(),
      kind: fc.constantFrom('none', 'none', 'insert', 'delete'),
    });
    let complete = 0;
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 2, max: 12 }),
        fc.array(change, { maxLength: 12 }),
        async (count, limit, changes) => {
          const list = items(1, count);
          const deleted = new Set<number>();
          const pending = [...changes];
          const { reader } = pagingReader(
            () => list,
            (page) => {
              const { kind, position = 0 } = pending.shift() ?? {};
              const index = position % (list.length + 1);
              if (kind === 'insert') list.splice(index, 0, { id: 1000 + pending.length });
              if (kind === 'delete') for (const { id } of list.splice(index, 1)) deleted.add(id);
              return wrap(page);
            },
          );
          const listing = await read(reader, limit).catch((error: unknown) => error);
          if (listing instanceof ApiError) {
            expect(listing.reason).toBe('inconsistent');
            failed++;
            return;
          }
          const { items: found } = listing as { items: Item[] };
          const constant = items(1, count).filter(({ id }) => !deleted.has(id));
          expect(found).toEqual(expect.arrayContaining(constant));
          expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
          complete++;
        },
      ),
      { numRuns: 500, seed: 1 },
    );
    expect(Math.min(complete, failed)).toBeGreaterThan(50);
  });
});

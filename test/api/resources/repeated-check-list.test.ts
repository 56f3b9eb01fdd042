import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/api/http/client.ts';
import { EchoedSecrets } from '../../../src/api/http/redaction.ts';
import type { Reader } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import { Secret } from '../../../src/lib/secret.ts';

const { signal } = new AbortController();

const redaction = new EchoedSecrets([new Secret('token-that-is-echoed')]);

/** The service that answers with these bodies one after the other, each of which is read entry by entry or parsed whole. */
function serviceOf(bodies: readonly Buffer[], isParsed = false) {
  const left = [...bodies];
  let parsed = 0;
  const reader: Reader = {
    baseUrl: 'https://api.test',
    get: async ({ operation }, bodyReader) => {
      const body = left.shift() ?? Buffer.from('{}');
      const redact = (text: Buffer, value: unknown) => redaction.redact(text, value);
      const read = isParsed ? undefined : await bodyReader?.read(body, redact);
      if (read !== undefined) return read;
      parsed++;
      return redact(body, parseJson(body, operation));
    },
  };
  const service = createServiceV31({ reader });
  const list = async () => {
    try {
      return { list: await service.listChecks(signal) };
    } catch (error) {
      return { error };
    }
  };
  const items = async () => (await service.listChecks(signal)).items;
  return { list, items, parsed: () => parsed };
}

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1_700_000_000, max: 1_700_000_300 }) },
  fc.constantFrom(0, 7, 99, 100, 4_102_444_800, -1, 1.5, 1e21, null, '12', '', true, [1]),
);
const text = fc.oneof(
  fc.constantFrom(
    'shop',
    'token-that-is-echoed',
    '',
    'a"b',
    '\\',
    '}',
    '{',
    ',"lasttesttime":5,',
    'é',
    '\u2028',
    ']}',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const entry = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) }, number),
    name: text,
    hostname: text,
    status: fc.constantFrom('up', 'down', 'unconfirmed_down', 'paused', 'odd'),
    lasttesttime: number,
    lasterrortime: number,
    lastresponsetime: number,
    lastdownend: number,
    resolution: fc.constantFrom(1, 5),
    tags: fc.oneof(
      fc.array(fc.record({ name: text, type: fc.constantFrom('a', 'u') }), { maxLength: 2 }),
      fc.constant([{ lasttesttime: 5, name: 'x' }]),
    ),
  },
  { requiredKeys: ['id'] },
);
const odd = fc.constantFrom(null, 5, [], 'check', {}, { id: 'one' }, { checks: [] });
const entries = fc.array(fc.oneof({ weight: 12, arbitrary: entry as fc.Arbitrary<unknown> }, odd), {
  maxLength: 8,
});

/** How one list becomes the next. */
type Change = (entries: readonly Record<string, unknown>[]) => readonly unknown[];
const place = fc.nat({ max: 7 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((before) => before),
  fc
    .tuple(fc.constantFrom('lasttesttime', 'lasterrortime', 'lastresponsetime', 'status'), number)
    .map(([name, value]): Change => {
      return (before) => before.map((it) => (isPlain(it) ? { ...it, [name]: value } : it));
    }),
  fc.tuple(place, fc.constantFrom('lasttesttime', 'name', 'id'), number).map(
    ([at, name, value]): Change =>
      (before) =>
        before.map((it, index) => (index === at && isPlain(it) ? { ...it, [name]: value } : it)),
  ),
  place.map(
    (at): Change =>
      (before) =>
        before.filter((_, index) => index !== at),
  ),
  fc.tuple(place, entry).map(
    ([at, added]): Change =>
      (before) =>
        before.toSpliced(at, 0, added),
  ),
  fc.constant<Change>((before) => before.toReversed()),
);

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How the service writes it. */
const writing = fc.constantFrom<(checks: readonly unknown[]) => string>(
  (checks) => JSON.stringify({ checks, counts: { total: checks.length } }),
  (checks) => JSON.stringify({ checks }),
  (checks) => JSON.stringify({ counts: { total: checks.length }, checks }),
  (checks) => JSON.stringify({ checks }, undefined, 1),
  (checks) => `${JSON.stringify({ checks })} `,
  (checks) => JSON.stringify({ checks }).replaceAll('lasttesttime', '\\u006casttesttime'),
  (checks) => JSON.stringify({ checks }).replaceAll('"name":', '"lasttesttime":3,"name":'),
  (checks) => JSON.stringify({ more: [], checks }),
  (checks) => JSON.stringify({ checks }).replace(/}$/, ',"checks":[]}'),
  (checks) => JSON.stringify({ checks }).replace(/}$/, ',"\\u0063hecks":[{"id":3}]}'),
  (checks) => JSON.stringify({ checks }).replace(/,/, ',,'),
  (checks) => JSON.stringify({ checks }).slice(0, -3),
  (checks) => JSON.stringify({ checks: { checks } }),
);

const plainWriting = (checks: readonly unknown[]) =>
  JSON.stringify({ checks, counts: { total: checks.length } });

/** One byte of a body is another: some are no UTF-8 then, and most no JSON. */
const damage = fc.option(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { freq: 6, nil: undefined });

test('a list that is read again and again reads as if each were parsed whole', async () => {
  const step = fc.record({
    change,
    write: fc.oneof({ weight: 4, arbitrary: fc.constant(plainWriting) }, writing),
    damage,
  });
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (first, steps) => {
        let checks: readonly unknown[] = first;
        const bodies = steps.map(({ change, write, damage }) => {
          checks = change(checks as Record<string, unknown>[]);
          const body = Buffer.from(write(checks));
          if (damage !== undefined) body[damage[0] % body.length] = damage[1];
          return body;
        });
        const remembering = serviceOf(bodies);
        const parsing = serviceOf(bodies, true);
        for (const _ of bodies) {
          const [one, other] = [await remembering.list(), await parsing.list()];
          expect(one).toStrictEqual(other);
        }
      },
    ),
    { numRuns: 1500, endOnFailure: true },
  );
});

describe('a list that is read again', () => {
  const checks = Array.from({ length: 5 }, (_, index) => ({
    id: index + 1,
    name: `check ${index}`,
    status: 'up',
    lasttesttime: 1_700_000_000 + index,
    lastresponsetime: 99 + index,
    tags: [{ name: 'shop', type: 'u' }],
  }));
  const bodyOf = (entries: readonly unknown[]) => Buffer.from(plainWriting(entries));
  const twice = async (then: readonly unknown[]) => {
    const service = serviceOf([bodyOf(checks), bodyOf(then)]);
    const [before, after] = [await service.items(), await service.items()];
    expect(service.parsed()).toBe(0);
    return { before, after };
  };

  test('keeps the items of entries that are written as before', async () => {
    const { before, after } = await twice(checks);
    for (const [place, item] of before.entries()) expect(after[place]).toBe(item);
  });

  test('keeps those before and behind entries that have come, gone or changed', async () => {
    const [first, second, , ...others] = checks;
    const { before, after } = await twice([
      first,
      { id: 9 },
      { ...second, name: 'new' },
      ...others,
    ]);

    expect(after.map(({ id }) => id)).toEqual([1, 9, 2, 4, 5]);
    expect(after[2]).toEqual({ ...before[1], name: 'new' });
    for (const place of [0, 4]) expect(after[place]).toBe(before[place]);
  });

  test('takes other readings into an item, and keeps its parts', async () => {
    const tested = checks.map((check) => ({
      ...check,
      lasttesttime: 1_700_000_090,
      lastresponsetime: 1100,
    }));
    const { before, after } = await twice(tested);

    for (const [place, item] of before.entries()) {
      expect(after[place]).toEqual({
        ...item,
        lastTestAtSeconds: 1_700_000_090,
        lastResponseTimeSeconds: 1.1,
      });
      expect(after[place]?.tags).toBe(item.tags);
    }
  });

  test.each([
    ['gains a field', { lastresponsetime: 99 }, { lastresponsetime: 99, paused: false }],
    ['loses a field', { lastresponsetime: 99, paused: false }, { lastresponsetime: 99 }],
    ['gains one with another reading', { lasttesttime: 5 }, { lasttesttime: 60, paused: false }],
    ['loses one with another reading', { lasttesttime: 60, paused: false }, { lasttesttime: 61 }],
  ])('reads an entry that %s behind its last reading', async (_what, before, after) => {
    const bodies = [before, after].map((fields) => bodyOf([{ id: 1, name: 'shop', ...fields }]));
    const [service, parsing] = [serviceOf(bodies), serviceOf(bodies, true)];
    for (const _ of bodies) expect(await service.list()).toStrictEqual(await parsing.list());
  });

  test('has no secret in it, whatever was there before', async () => {
    const echoed = checks.map((check) => ({ ...check, name: 'is token-that-is-echoed here' }));
    const { after } = await twice(echoed);
    expect(new Set(after.map(({ name }) => name))).toEqual(new Set(['is <secret> here']));
  });
});

const entryText = (tested: number, more: string) =>
  `{"checks":[{"id":1,"lasttesttime":${tested},"lastresponsetime":99${more}}]}`;

test.each([
  [
    'its last test tells the end of a downtime',
    ',"status":"unconfirmed_down","lastdownend":1700000000',
  ],
  ['a name stands twice', ',"lasttesttime":1700000000'],
  ['a tag has the name of a reading', ',"tags":[{"lasttesttime":1700000000,"name":"shop"}]'],
  ['a name is escaped', ',"\\u006casttesttime":1700000000'],
  ['the list stands twice', '}],"checks":[{"id":2'],
  ['the list stands twice, escaped', '}],"\\u0063hecks":[{"id":2'],
])('another last test is read as it was written where %s', async (_where, more) => {
  const bodies = [1_700_000_000, 1_700_000_060, 0].map((tested) =>
    Buffer.from(entryText(tested, more)),
  );
  const [service, parsing] = [serviceOf(bodies), serviceOf(bodies, true)];
  for (const _ of bodies) expect(await service.list()).toStrictEqual(await parsing.list());
});

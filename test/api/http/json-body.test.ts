import { expect, test } from 'vitest';
import { parseJson } from '../../../src/api/http/json-body.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';

const operation = 'list_checks';
/** So that a list of a few entries is large. */
const partBytes = 30;

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('},{"id":', '"},{"id":', '\\"},{', ']}', '{"checks":['),
);
const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), text);
/** Rarely with the first key of an entry, which makes a list look as if it could be cut there. */
const tag = fc.oneof(
  { weight: 20, arbitrary: fc.record({ name: text, id: leaf }) },
  fc.record({ id: leaf }),
);
const entry = fc.record(
  {
    id: leaf,
    name: text,
    tags: fc.array(tag, { maxLength: 3 }),
    type: fc.record({ http: leaf, list: fc.array(tag, { maxLength: 2 }) }),
  },
  { requiredKeys: ['id'], noNullPrototype: true },
);
const entries = fc.array(fc.oneof({ weight: 9, arbitrary: entry }, leaf), {
  maxLength: 12,
  size: 'max',
});
const list = fc.record(
  { checks: entries, more: entries, counts: fc.record({ total: leaf }) },
  { requiredKeys: ['checks'], noNullPrototype: true },
);

/** The value from `JSON.parse`, or the reason why the body is refused. */
function expected(body: Buffer): unknown {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? 'not_json' : 'encoding' };
  }
}

async function parsed(body: Buffer): Promise<unknown> {
  return parseJson(body, operation, { partBytes }).then(
    (value) => ({ value }),
    (error: { readonly reason: string }) => ({ reason: error.reason }),
  );
}

test('a list that is parsed in parts is what JSON.parse makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(list, fc.constantFrom(undefined, 1), async (value, space) => {
      const body = Buffer.from(JSON.stringify(value, undefined, space));
      expect(await parsed(body)).toEqual({ value });
    }),
    { numRuns: extent(300, 5_000) },
  );
});

test('a broken list is refused, or read, as JSON.parse would', async () => {
  await fc.assert(
    fc.asyncProperty(list, fc.nat(), fc.nat(255), fc.boolean(), async (value, at, byte, isCut) => {
      const body = Buffer.from(JSON.stringify(value));
      const place = at % body.length;
      const broken = isCut
        ? body.subarray(0, place)
        : Buffer.from(body.fill(byte, place, place + 1));
      expect(await parsed(broken)).toEqual(expected(broken));
    }),
    { numRuns: extent(300, 5_000) },
  );
});

test('the event loop runs between the parts', async () => {
  const body = Buffer.from(JSON.stringify({ checks: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 3 }));
  const parts: string[] = [];
  const partsWhenItRan: number[] = [];
  setImmediate(() => partsWhenItRan.push(parts.length));
  await parseJson(body, operation, {
    partBytes: 5,
    parse: (part) => {
      parts.push(part);
      return JSON.parse(part);
    },
  });
  expect(parts).toEqual([
    '{"checks":[{"id":1}]}',
    '{"checks":[{"id":2}]}',
    '{"checks":[{"id":3}],"total":3}',
  ]);
  expect(partsWhenItRan).toEqual([1]);
});

test('a body of 200 kB is parsed as a whole, and one of 4 MB in five parts', async () => {
  const checks = Array.from({ length: 2_000 }, (_, index) => ({ id: index, name: 'a'.repeat(80) }));
  const sizes: number[] = [];
  for (const count of [2_000, 40_000]) {
    const body = Buffer.from(
      JSON.stringify({ checks: Array.from({ length: count / 2_000 }, () => checks).flat() }),
    );
    let parts = 0;
    const value = await parseJson(body, operation, {
      parse: (part) => {
        parts += 1;
        return JSON.parse(part);
      },
    });
    expect(value).toEqual(JSON.parse(body.toString()));
    sizes.push(parts);
  }
  expect(sizes).toEqual([1, 5]);
});

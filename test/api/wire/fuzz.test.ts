import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { parseJson } from '../../../src/api/parse-json.ts';
import { createServiceV31 } from '../../../src/api/service-v31.ts';

const { signal } = new AbortController();

/** Reads a body as both operations would. Whatever fails fails as an `ApiError`. */
async function readEverything(body: Buffer) {
  const service = createServiceV31({
    transport: {
      baseUrl: 'https://api.example.com',
      get: async ({ operation, query }) =>
        query?.offset === undefined || query.offset === 0
          ? parseJson(body, operation)
          : { checks: [] },
    },
  });
  const outcomes = await Promise.allSettled([service.listChecks(signal), service.credits(signal)]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ApiError);
  }
  return outcomes;
}

const names = [
  ...['id', 'name', 'type', 'status', 'tags', 'count', 'hostname', 'severity', 'ipv6', 'counts'],
  ...['resolution', 'created', 'lasttesttime', 'lastresponsetime', 'lastdownstart', 'total'],
  ...['__proto__', 'constructor', 'toString', 'checklimit', 'autofillsms', 'max_sms_overage'],
];
const scalar = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom<unknown>(0, -1, 1e308, 2 ** 53, '', '1', 'YES', 'up', 'http', null, '\ud800'),
  fc.integer({ min: 1, max: 20 }),
);
const object = fc.dictionary(fc.constantFrom(...names), fc.oneof(scalar, fc.array(scalar)));
const reply = fc.record(
  {
    checks: fc.oneof({ weight: 9, arbitrary: fc.array(fc.oneof(object, scalar)) }, scalar),
    counts: fc.oneof(object, scalar),
    credits: fc.oneof(object, scalar),
  },
  { requiredKeys: [] },
);

describe('whatever the service answers', () => {
  test('the decoders raise nothing but their own errors, and what they accept is sound', async () => {
    await fc.assert(
      fc.asyncProperty(reply, async (value) => {
        const [list, credits] = await readEverything(Buffer.from(JSON.stringify(value)));
        const { items } = list?.status === 'fulfilled' ? (list.value as never) : { items: [] };
        const checks = items as { id: number; name: string }[];
        expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
        for (const check of checks) {
          expect(Number.isSafeInteger(check.id) && check.id > 0).toBe(true);
          expect(check.name.isWellFormed() && check.name !== '').toBe(true);
          for (const [key, field] of Object.entries(check)) {
            if (key.endsWith('Seconds')) expect(Number.isFinite(field)).toBe(true);
            expect(field).not.toBe(undefined);
          }
        }
        if (credits?.status === 'fulfilled') {
          for (const field of Object.values(credits.value)) {
            expect(typeof field === 'boolean' || Number.isSafeInteger(field)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('any JSON is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        await readEverything(Buffer.from(text));
      }),
      { numRuns: 300 },
    );
  });

  test('JSON that is cut short is refused as such', async () => {
    await fc.assert(
      fc.asyncProperty(
        reply,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (value, share) => {
          const whole = Buffer.from(JSON.stringify(value));
          const outcomes = await readEverything(
            whole.subarray(0, Math.floor(whole.length * share)),
          );
          expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('any bytes are read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await readEverything(Buffer.from(bytes));
      }),
    );
  });

  test.each([
    ['deep arrays', `{"checks":[{"id":1,"tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`],
    [
      'deep objects',
      `{"checks":[{"id":1,"name":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}]}`,
    ],
    ['huge numbers', `{"checks":[{"id":1,"created":1e999,"lasttesttime":${'9'.repeat(5000)}}]}`],
  ])('%s cost an attribute, not the list', async (_kind, body) => {
    const [list] = await readEverything(Buffer.from(body));
    expect(list).toEqual({
      status: 'fulfilled',
      value: {
        items: [{ id: 1, name: 'check 1', type: 'unknown', status: 'unknown', tags: [] }],
        rejected: [],
      },
    });
  });
});

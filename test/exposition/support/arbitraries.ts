import fc from 'fast-check';
import { type Check, checkStatuses, checkTypes } from '../../../src/domain/check.ts';

const awkward = [
  '"',
  '\\',
  '\n',
  '\r',
  '\0',
  '\\n',
  '",name="',
  '"} 1\n',
  '{',
  '}',
  ',',
  '=',
  '#',
  ' ',
  '# EOF',
  '😀',
  'é',
  '\u2028',
  '\ud800',
  '\udc00',
];

/** Text of any Unicode, rich in what an encoder can get wrong. */
export const awkwardText = fc
  .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

const seconds = fc.integer({ min: 0, max: 2_000_000_000 });

const optionalFields = fc.record(
  {
    hostname: awkwardText,
    severity: awkwardText,
    ipv6: fc.boolean(),
    resolutionSeconds: seconds,
    createdAtSeconds: seconds,
    lastTestAtSeconds: seconds,
    lastErrorAtSeconds: seconds,
    lastDownStartAtSeconds: seconds,
    lastDownEndAtSeconds: seconds,
    lastResponseTimeSeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  },
  { requiredKeys: [] },
);

export const anyCheck: fc.Arbitrary<Check> = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    name: awkwardText,
    type: fc.constantFrom(...checkTypes, 'unknown' as const),
    status: fc.constantFrom(...checkStatuses),
    tags: fc.array(
      fc.record({ name: awkwardText, source: fc.constantFrom('user' as const, 'auto' as const) }),
      { maxLength: 3 },
    ),
    optional: optionalFields,
  })
  .map(({ optional, ...required }) => ({ ...required, ...optional }));

/** Checks ordered by id, each id once. */
export const anyChecks: fc.Arbitrary<readonly Check[]> = fc
  .uniqueArray(anyCheck, { maxLength: 40, selector: ({ id }) => id })
  .map((checks) => checks.sort((a, b) => a.id - b.id));

/** What is left of a text as UTF-8. */
export function storable(text: string): string {
  return Buffer.from(text).toString();
}

import { checkStatuses, checkTypes } from '../../../src/domain/check.ts';
import type { ResultTotals } from '../../../src/domain/totals.ts';
import { transactionStatuses } from '../../../src/domain/transaction.ts';
import type { CheckRow, TransactionRow } from '../../../src/state/snapshot.ts';
import fc from '../../support/fast-check.ts';
import { fullTransaction } from './snapshots.ts';

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

/** Unicode text with many characters that an encoder can get wrong. */
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

const stateSeconds = { up: 100, down: 20, unknown: 3, unmonitored: 0 };

function resultsWith(count: number): ResultTotals {
  return {
    byStatus: { up: count, down: 0, unconfirmed_down: 0, unknown: 0 },
    responseTime: { bounds: [0.5, 1], counts: [count, 1, 0], sumSeconds: count / 4 },
  };
}

/** Parts that appear, disappear and change a little. */
const optionalParts = fc.record(
  {
    availability: fc.nat(3).map((outages) => ({ seconds: stateSeconds, outages })),
    results: fc.nat(3).map(resultsWith),
    analyses: fc.nat(3),
    activeProbes: fc.nat(3),
    maintenance: fc.record({ active: fc.boolean() }),
  },
  { requiredKeys: [] },
);

const someTags = fc.array(
  fc.record({
    name: fc.oneof(
      awkwardText,
      awkwardText.map((text) => `team:${text}`),
      fc.constantFrom('team:a', 'team:b', 'team:c', 'tier-1'),
    ),
    source: fc.constantFrom('user' as const, 'auto' as const),
  }),
  { maxLength: 3 },
);

export const anyCheck: fc.Arbitrary<CheckRow> = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    name: awkwardText,
    type: fc.constantFrom(...checkTypes, 'unknown' as const),
    status: fc.constantFrom(...checkStatuses),
    tags: someTags,
    optional: optionalFields,
    parts: optionalParts,
  })
  .map(({ optional, parts, ...required }) => ({ ...required, ...optional, ...parts }));

const anyTransaction: fc.Arbitrary<TransactionRow> = fc
  .record({
    id: fc.integer({ min: 1, max: 20 }),
    name: awkwardText,
    status: fc.constantFrom(...transactionStatuses),
    tags: someTags,
  })
  .map((fields) => ({ ...fullTransaction(fields.id), ...fields }));

/** Checks ordered by id, each id once. */
export const anyChecks: fc.Arbitrary<readonly CheckRow[]> = fc
  .uniqueArray(anyCheck, { maxLength: 40, selector: ({ id }) => id })
  .map((checks) => checks.sort((a, b) => a.id - b.id));

/** A text after a conversion to UTF-8, without marks that reverse its direction. */
export function storable(text: string): string {
  return Buffer.from(text)
    .toString()
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Transactions ordered by id, each id once. */
export const anyTransactions: fc.Arbitrary<readonly TransactionRow[]> = fc
  .uniqueArray(anyTransaction, { maxLength: 5, selector: ({ id }) => id })
  .map((transactions) => transactions.sort((a, b) => a.id - b.id));

import { expect, test } from 'vitest';
import {
  BackfillChanges,
  type JobDocument,
  type PastDocument,
  readBackfill,
} from '../../../src/backfill/job/documents.ts';
import { changed, DocumentSet } from '../../../src/store/format/document-set.ts';

const firstSeen = { check: [[12, 1_000, { name: 'shop' }]], transaction: [] } as const;
const job: JobDocument = {
  fromSeconds: 1,
  requestedAtSeconds: 2_000,
  check: [12, 13],
  transaction: [7],
  responseTimes: true,
  reportSeconds: 600,
  maintenance: { check: [[12, [[100, 200]]]], transaction: [] },
};
const past: PastDocument = {
  past: { fromSeconds: 1, toSeconds: 1_000, states: 'u999' },
  unreadable: 1,
  measuredUntilSeconds: 500,
  responseTimes: [{ startAtSeconds: 1, milliseconds: 'AAA=' }],
};

/** Stores everything, as the job does. */
function stored(): DocumentSet {
  const changes = new BackfillChanges()
    .setFirstSeen({ check: [[12, 1_000, { name: 'shop' }]], transaction: [] })
    .setJob(job)
    .setPast('check', 12, past)
    .setPast('check', 13, { refusal: 'Forbidden' })
    .setPast('transaction', 7, past);
  return changed(new DocumentSet(), changes);
}

test('what the backfill stores is read again', () => {
  expect(readBackfill(stored(), expect.unreachable)).toEqual({
    firstSeen,
    job,
    check: new Map<number, unknown>([
      [12, past],
      [13, { refusal: 'Forbidden' }],
    ]),
    transaction: new Map([[7, past]]),
  });
});

test('a document of another form is dropped and named, and the others are read', () => {
  const documents = changed(
    stored(),
    new DocumentSet<null>().set('feature backfill of check', { past: 3 }, 12),
  );
  const dropped: string[] = [];

  const { job: read, check } = readBackfill(documents, (name) => dropped.push(name));

  expect(dropped).toEqual(['feature backfill of check 12']);
  expect([read, [...check.keys()]]).toEqual([job, [13]]);
});

test('deleted documents are gone', () => {
  const deletion = new BackfillChanges().setPast('check', 12, null);
  const { check } = readBackfill(changed(stored(), deletion), expect.unreachable);
  expect([...check.keys()]).toEqual([13]);
});

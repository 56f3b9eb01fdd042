import { z } from 'zod';
import { DocumentSet } from '../../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import { readPastSchema } from '../series/past-item.ts';

/*
 * What the backfill stores of an account: when each item was first seen, the job, and a document for
 * each item that the job has read. A document that does not match its schema is dropped when it is
 * read, and its data are read again.
 */

const id = z.number().int();
const amount = z.number().nonnegative();
const firstSeenOfKind = z.array(z.tuple([id, amount, z.record(z.string(), z.string())]));
const firstSeen = z.object({ check: firstSeenOfKind, transaction: firstSeenOfKind });
const maintenanceOfKind = z.array(z.tuple([id, z.array(z.tuple([amount, amount]))]));
const job = z.object({
  fromSeconds: amount,
  /** The end of the range; absent if it is the first sight of each item. */
  toSeconds: amount.exactOptional(),
  /** Whether the hourly response times of checks are also read. */
  responseTimes: z.literal(true).exactOptional(),
  requestedAtSeconds: amount,
  check: z.array(id),
  transaction: z.array(id),
  /** The longest period of a report of response times. */
  reportSeconds: amount,
  /** The maintenance of items within the range; absent until it and all transactions are read. */
  maintenance: z
    .object({ check: maintenanceOfKind, transaction: maintenanceOfKind })
    .exactOptional(),
});
const past = readPastSchema.extend({
  /** Response times are read up to here; absent if none are. */
  measuredUntilSeconds: amount.exactOptional(),
});

export type FirstSeenDocument = z.infer<typeof firstSeen>;
export type JobDocument = Readonly<z.infer<typeof job>>;
export type PastDocument = Readonly<z.infer<typeof past>>;
/** The request of an operator. Times are UNIX seconds. */
export type BackfillRequest = Pick<JobDocument, 'fromSeconds' | 'toSeconds' | 'responseTimes'>;

export interface StoredBackfill extends Record<ItemKind, Map<number, PastDocument>> {
  readonly firstSeen: FirstSeenDocument | undefined;
  readonly job: JobDocument | undefined;
}

const kinds = {
  firstSeen: 'feature backfill first seen',
  job: 'feature backfill job',
  check: 'feature backfill of check',
  transaction: 'feature backfill of transaction',
} as const;

/** Reads the stored documents. `onDropped` gets the names of those that do not match. */
export function readBackfill(
  documents: DocumentSet,
  onDropped: (name: string) => void,
): StoredBackfill {
  const read = <T extends z.ZodType>(
    schema: T,
    kind: (typeof kinds)[keyof typeof kinds],
    id = 0,
  ) => {
    const value = documents.get(kind, id);
    if (value === undefined) return undefined;
    const checked = schema.safeParse(value);
    if (!checked.success) onDropped(id > 0 ? `${kind} ${id}` : kind);
    return checked.data;
  };
  const pasts = { check: new Map<number, PastDocument>(), transaction: new Map() };
  for (const kind of itemKinds) {
    for (const id of documents.all(kinds[kind]).keys()) {
      const document = read(past, kinds[kind], id);
      if (document !== undefined) pasts[kind].set(id, document);
    }
  }
  return { firstSeen: read(firstSeen, kinds.firstSeen), job: read(job, kinds.job), ...pasts };
}

/** Changes of the documents; null deletes one. */
export class BackfillChanges extends DocumentSet<null> {
  setFirstSeen(value: FirstSeenDocument): this {
    return this.set(kinds.firstSeen, value);
  }

  setJob(value: JobDocument): this {
    return this.set(kinds.job, value);
  }

  setPast(kind: ItemKind, id: number, value: PastDocument | null): this {
    return this.set(kinds[kind], value, id);
  }
}

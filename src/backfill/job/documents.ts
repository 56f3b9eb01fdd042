import { z } from 'zod';
import { DocumentSet } from '../../store/format/document-set.ts';
import type { ItemKind } from '../../store/store.ts';

/*
 * What the backfill stores of an account, as documents of its own: when each item was first seen,
 * the job, and what the job has read. A document that does not match its schema is dropped when it
 * is read, and its data are read again.
 */

const id = z.number().int();
const amount = z.number().nonnegative();
const firstSeenOfKind = z.array(z.tuple([id, amount, z.record(z.string(), z.string())]));
const firstSeen = z.object({ check: firstSeenOfKind, transaction: firstSeenOfKind });
const job = z.object({
  fromSeconds: amount,
  toSeconds: amount.exactOptional(),
  requestedAtSeconds: amount,
  check: z.array(id),
  transaction: z.array(id),
  /** The longest period of a report of response times; absent if no reports are requested. */
  reportSeconds: amount.exactOptional(),
});
/** The number of entries of a report that could not be read; absent if there are none. */
const unreadable = amount.exactOptional();
/** States before first sight (src/backfill/series/past-states.ts), or why they could not be read. */
const past = z.union([
  z.object({ fromSeconds: amount, toSeconds: amount, states: z.string(), unreadable }),
  z.object({ refusal: z.string() }),
]);
/** Hourly averages up to `untilSeconds`, in runs without a gap, or why there are none. */
const responseTimes = z.union([
  z.object({
    untilSeconds: amount,
    runs: z.array(z.object({ startAtSeconds: amount, milliseconds: z.base64() })),
    unreadable,
  }),
  z.object({ refusal: z.string() }),
]);
const maintenanceOfKind = z.array(z.tuple([id, z.array(z.tuple([amount, amount]))]));
const maintenance = z.object({ check: maintenanceOfKind, transaction: maintenanceOfKind });

export type FirstSeenDocument = z.infer<typeof firstSeen>;
export type BackfillJobDocument = z.infer<typeof job>;
export type PastDocument = z.infer<typeof past>;
export type PastResponseTimesDocument = z.infer<typeof responseTimes>;
export type PastMaintenanceDocument = z.infer<typeof maintenance>;
/** Keyed by name. */
export type ItemLabels = Readonly<Record<string, string>>;

/** The pasts that a job has read. */
export interface StoredPasts {
  readonly maintenance?: PastMaintenanceDocument | undefined;
  readonly check: Map<number, PastDocument>;
  readonly transaction: Map<number, PastDocument>;
  readonly responseTimes: Map<number, PastResponseTimesDocument>;
}

export interface StoredBackfill extends StoredPasts {
  readonly firstSeen: FirstSeenDocument | undefined;
  readonly job: BackfillJobDocument | undefined;
}

const prefix = 'feature backfill';
const names = {
  firstSeen: `${prefix} first seen`,
  job: `${prefix} job`,
  maintenance: `${prefix} maintenance`,
} as const;
/** Each item has a document with its id after the name. */
const families = {
  check: `${prefix} of check`,
  transaction: `${prefix} of transaction`,
  responseTimes: `${prefix} response times of check`,
} as const;

/** Reads the stored documents. `onDropped` gets the names of those that do not match. */
export function readBackfill(
  documents: DocumentSet,
  onDropped: (name: string) => void,
): StoredBackfill {
  const read = <T extends z.ZodType>(schema: T, name: string, value: unknown) => {
    if (value === undefined) return undefined;
    const checked = schema.safeParse(value);
    if (!checked.success) onDropped(name);
    return checked.data;
  };
  const family = <T extends z.ZodType>(schema: T, name: string) => {
    const found = new Map<number, z.infer<T>>();
    for (const [key, value] of documents) {
      const number = key.startsWith(`${name} `) ? Number(key.slice(name.length + 1)) : Number.NaN;
      const item = Number.isNaN(number) ? undefined : read(schema, key, value);
      if (item !== undefined) found.set(number, item);
    }
    return found;
  };
  return {
    firstSeen: read(firstSeen, names.firstSeen, documents.get(names.firstSeen)),
    job: read(job, names.job, documents.get(names.job)),
    maintenance: read(maintenance, names.maintenance, documents.get(names.maintenance)),
    check: family(past, families.check),
    transaction: family(past, families.transaction),
    responseTimes: family(responseTimes, families.responseTimes),
  };
}

/** Changes of the documents; null deletes one. */
export class BackfillChanges extends DocumentSet<null> {
  setFirstSeen(value: FirstSeenDocument): this {
    return this.set(names.firstSeen, value);
  }

  setJob(value: BackfillJobDocument): this {
    return this.set(names.job, value);
  }

  setMaintenance(value: PastMaintenanceDocument | null): this {
    return this.set(names.maintenance, value);
  }

  setPast(kind: ItemKind, id: number, value: PastDocument | null): this {
    return this.set(`${families[kind]} ${id}`, value);
  }

  setResponseTimes(id: number, value: PastResponseTimesDocument | null): this {
    return this.set(`${families.responseTimes} ${id}`, value);
  }
}

import { z } from 'zod';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { Month } from './calendar.ts';
import type { MonthOutage, MonthRecord } from './month-record.ts';

/*
 * What is stored of months: an index for each account, and a record for each item and month. Times
 * are UNIX seconds.
 */

const id = z.number().int();
const amount = z.number().nonnegative();
const time = amount.exactOptional();
const seconds = z.object({ up: amount, down: amount, unknown: amount, unmonitored: amount });
const sum = amount.default(0);

const index = z.object({
  /** Oldest first. */
  months: z.array(
    z.object({
      name: z.string(),
      zone: z.string(),
      fromSeconds: amount,
      toSeconds: amount,
      /** All items have their records. */
      isWhole: z.boolean(),
      /** The groups of a whole month: seconds of their checks without maintenance. */
      groups: z
        .array(z.object({ name: z.string(), ratio: amount, up: amount, down: amount }))
        .exactOptional(),
    }),
  ),
  /** Removed items that have records, in the order of their removal. */
  removed: z.array(z.tuple([z.enum(itemKinds), id])),
});

/** What is absent is 0 or empty, so that an item that was up takes few bytes. */
const record = z.object({
  name: z.string(),
  tags: z.array(z.string()).exactOptional(),
  groups: z.array(z.object({ name: z.string(), ratio: amount })).exactOptional(),
  objective: amount,
  seconds: z.object({ up: sum, down: sum, unknown: sum, unmonitored: sum }),
  maintenance: seconds.exactOptional(),
  unwatched: time,
  folded: time,
  outages: z
    .array(
      z.object({
        fromSeconds: amount,
        beganBefore: z.literal(true).exactOptional(),
        toSeconds: time,
        causes: z.array(z.string()).exactOptional(),
        maintenance: z.enum(['part', 'whole']).exactOptional(),
      }),
    )
    .exactOptional(),
  knownBy: z.enum(['lists', 'reports']),
  createdAtSeconds: time,
  removedAtSeconds: time,
});

export type MonthIndex = z.infer<typeof index>;
/** A month that has records, in the time zone in which it was begun. */
export type IndexedMonth = Readonly<MonthIndex['months'][number]> & Month;

/** The availability of a group in a month. */
export type GroupMonth = NonNullable<IndexedMonth['groups']>[number];

export const indexName = 'feature months';

/** Undefined if it is not an index. */
export function readIndex(value: unknown): MonthIndex | undefined {
  return index.safeParse(value).data;
}

export function monthKind({ name }: Pick<Month, 'name'>, kind: ItemKind) {
  return `month ${name} ${kind}` as const;
}

export function monthBody({ kind: _, id: __, ...month }: MonthRecord): z.input<typeof record> {
  const { tags, groups, unwatched, outages, seconds, ...rest } = month;
  const nonZero = Object.entries(seconds).filter(([, sum]) => sum > 0);
  return {
    ...rest,
    seconds: Object.fromEntries(nonZero),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(unwatched > 0 && { unwatched }),
    ...(outages.length > 0 && {
      outages: outages.map(({ causes, maintenance, ...outage }) => ({
        ...outage,
        ...(causes.length > 0 && { causes: [...causes] }),
        ...(maintenance !== 'none' && { maintenance }),
      })),
    }),
  };
}

/** Undefined if it is not a record. */
export function readMonthBody(kind: ItemKind, id: number, value: unknown): MonthRecord | undefined {
  const body = record.safeParse(value).data;
  if (body === undefined) return undefined;
  const { tags = [], groups = [], unwatched = 0, outages = [], seconds, ...rest } = body;
  const read = outages.map(({ causes = [], maintenance, ...outage }): MonthOutage => {
    return { ...outage, causes, maintenance: maintenance ?? 'none' };
  });
  return { ...rest, kind, id, tags, groups, unwatched, seconds, outages: read };
}

/** The time of removal in the body of a record; undefined if the item was not removed. */
export function removedAt(value: unknown): number | undefined {
  return record.pick({ removedAtSeconds: true }).safeParse(value).data?.removedAtSeconds;
}

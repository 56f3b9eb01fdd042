import { z } from 'zod';
import type { TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { Month, NamedMonth } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import type { ResponseMonth } from '../slo/response-months.ts';
import { leaveReasons } from '../state/items/removed-items.ts';
import {
  amount as amountReader,
  listOf,
  oneOf,
  optional,
  orElse,
  struct,
  text,
  yes,
} from '../store/format/readers.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { DaySum } from './day-sums.ts';
import type { GroupObjective, MonthOutage, MonthRecord, ReadAfterwards } from './month-record.ts';

/*
 * What is stored of months: an index for each account, and a record for each item and month. Times
 * are UNIX seconds.
 */

const id = z.number().int();
const amount = z.number().nonnegative();

const index = z.object({
  /** Oldest first. */
  months: z.array(
    z.object({
      name: z.string(),
      zone: z.string(),
      fromSeconds: amount,
      toSeconds: amount,
      /** All items that lived in it have their records. */
      isWhole: z.boolean(),
      /** Of a whole month: the share of the time of all items that is known. */
      knownShare: amount.exactOptional(),
      /** The groups of a whole month: seconds of their checks, up and down without maintenance. */
      groups: z
        .array(
          z.object({
            name: z.string(),
            ratio: amount,
            up: amount,
            down: amount,
            known: amount,
            unwatched: amount,
          }),
        )
        .exactOptional(),
      /** It has what was read for the backfill job that was requested then. */
      pastRequestedAtSeconds: amount.exactOptional(),
      /** Its records have what was read after they were sealed: response times, and causes. */
      isCompleted: z.literal(true).exactOptional(),
      /** Why response times by day of checks whose hours were read too rarely are absent. */
      daysNotRead: z.enum(['other time zone', 'too few requests']).exactOptional(),
    }),
  ),
  /** Items that left and have records, in the order of their removal, at UNIX seconds. */
  removed: z.array(
    z.object({
      kind: z.enum(itemKinds),
      id,
      atSeconds: amount,
      why: z.enum(leaveReasons),
      /** It is listed again since then. */
      returnedAtSeconds: amount.exactOptional(),
    }),
  ),
});

type Seconds = Partial<SecondsByState>;

/** The body of a record. What is absent is 0 or empty, so that an item that was up takes few bytes. */
interface MonthBody
  extends Omit<
    MonthRecord,
    | 'kind'
    | 'id'
    | 'tags'
    | 'groups'
    | 'seconds'
    | 'days'
    | 'unwatched'
    | 'awaited'
    | 'outages'
    | 'responseTimes'
  > {
  readonly tags?: readonly string[];
  readonly groups?: readonly GroupObjective[];
  readonly seconds: Seconds;
  /** Each range as its begin and its end. */
  readonly unwatched?: readonly number[];
  /** Place, seconds down and uncounted seconds of each. */
  readonly days?: readonly number[];
  readonly outages?: readonly OutageBody[];
  /** Hours, tests, milliseconds; then the place and the milliseconds of the slowest day, if it is known. */
  readonly responseTimes?: readonly number[];
}

interface OutageBody extends Omit<MonthOutage, 'causes' | 'maintenance'> {
  readonly causes?: readonly string[];
  readonly maintenance?: 'part' | 'whole';
}

const sum = orElse(amountReader, 0);
const readSeconds = struct<SecondsByState>({ up: sum, down: sum, unknown: sum, unmonitored: sum });
const texts = orElse(listOf(text), []);
const readRanges = (value: unknown): readonly TimeRange[] => {
  const times = listOf(amountReader)(value);
  return Array.from({ length: times.length / 2 }, (_, place) => ({
    fromSeconds: times[2 * place] ?? 0,
    toSeconds: times[2 * place + 1] ?? 0,
  }));
};
const readDays = (value: unknown): readonly DaySum[] => {
  const numbers = listOf(amountReader)(value);
  return Array.from({ length: numbers.length / 3 }, (_, place) => ({
    place: numbers[3 * place] ?? 0,
    down: numbers[3 * place + 1] ?? 0,
    uncounted: numbers[3 * place + 2] ?? 0,
  }));
};
const readResponseTimes = (value: unknown): ResponseMonth => {
  const [hours = 0, tests = 0, milliseconds = 0, ...slowest] = listOf(amountReader)(value);
  const [slowestDay, slowestMilliseconds] = slowest;
  return present({ hours, tests, milliseconds, slowestDay, slowestMilliseconds });
};
const readBody = struct<Omit<MonthRecord, 'kind' | 'id'>>({
  name: text,
  hostname: optional(text),
  tags: texts,
  groups: orElse(listOf(struct<GroupObjective>({ name: text, ratio: amountReader })), []),
  objective: amountReader,
  isSeenLater: optional(yes),
  seconds: readSeconds,
  maintenance: optional(readSeconds),
  awaited: () => [],
  unwatched: orElse(readRanges, []),
  folded: optional(amountReader),
  days: optional(readDays),
  outages: orElse(
    listOf(
      struct<MonthOutage>({
        fromSeconds: amountReader,
        beganBefore: optional(yes),
        toSeconds: optional(amountReader),
        knownUntilSeconds: optional(amountReader),
        causes: texts,
        maintenance: orElse(oneOf(['part', 'whole']), 'none'),
        outsideFromSeconds: optional(amountReader),
      }),
    ),
    [],
  ),
  knownBy: oneOf(['lists', 'reports']),
  createdAtSeconds: optional(amountReader),
  firstSeenSeconds: optional(amountReader),
  removedAtSeconds: optional(amountReader),
  countedUntilSeconds: optional(amountReader),
  readAfterwards: optional(
    struct<ReadAfterwards>({ share: oneOf(['part', 'whole']), atSeconds: amountReader }),
  ),
  responseTimes: optional(readResponseTimes),
});

export type MonthIndex = z.infer<typeof index>;
/** A month that has begun, in the time zone in which it did. */
export type IndexedMonth = Readonly<MonthIndex['months'][number]> & Month;

/** Why response times are not read by day of checks whose hours were read too rarely. */
export type DaysNotRead = NonNullable<IndexedMonth['daysNotRead']> | 'not read yet';

/** The availability of a group in a month. */
export type GroupMonth = NonNullable<IndexedMonth['groups']>[number];

export const indexName = 'feature months';

/** Undefined if it is not an index. */
export function readIndex(value: unknown): MonthIndex | undefined {
  return index.safeParse(value).data;
}

export function monthKind({ name }: NamedMonth, kind: ItemKind) {
  return `month ${name} ${kind}` as const;
}

export function monthBody({ kind: _, id: __, ...month }: MonthRecord): MonthBody {
  const { tags, groups, awaited: ___, unwatched, days = [], outages, seconds, ...others } = month;
  const { responseTimes, ...rest } = others;
  const nonZero = Object.entries(seconds).filter(([, sum]) => sum > 0);
  return {
    ...rest,
    seconds: Object.fromEntries(nonZero),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(unwatched.length > 0 && {
      unwatched: unwatched.flatMap(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds]),
    }),
    ...(days.length > 0 && {
      days: days.flatMap(({ place, down, uncounted }) => [place, down, uncounted]),
    }),
    ...(outages.length > 0 && {
      outages: outages.map(({ causes, maintenance, ...outage }) => ({
        ...outage,
        ...(causes.length > 0 && { causes: [...causes] }),
        ...(maintenance !== 'none' && { maintenance }),
      })),
    }),
    ...(responseTimes !== undefined && { responseTimes: responseNumbers(responseTimes) }),
  };
}

function responseNumbers(times: ResponseMonth): readonly number[] {
  const { hours, tests, milliseconds, slowestDay, slowestMilliseconds } = times;
  const numbers = [hours, tests, milliseconds, slowestDay, slowestMilliseconds];
  return numbers.filter((number) => number !== undefined);
}

/** Throws a `CorruptRowError` if it is not a record. */
export function readMonthBody(kind: ItemKind, id: number, value: unknown): MonthRecord {
  return { ...readBody(value), kind, id };
}

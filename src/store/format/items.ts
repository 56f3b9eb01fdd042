import { talliedStates } from '../../domain/interval.ts';
import type { CountryTally } from '../../tally/country-tally.ts';
import type { EventTally } from '../../tally/event-tally.ts';
import type { ResponseHistogram } from '../../tally/response-histogram.ts';
import type { ResultTally } from '../../tally/result-tally.ts';
import { factKinds, type ListedFact } from '../../tally/state-tally.ts';
import type { TimedEntry, Watermark } from '../../tally/watermark.ts';
import { type ItemKind, itemKinds, type StoredItem } from '../store.ts';
import {
  amount,
  amounts,
  type Codec,
  checked,
  list,
  oneOf,
  optional,
  repeatedAmounts,
  string,
  struct,
  wholeAmount,
} from './codec.ts';
import { CorruptRecordError } from './record.ts';
import { secondsByState, stateLog } from './state-log.ts';

/*
 * How a check or a transaction is stored. Items are distributed over chunks (id modulo `chunks`).
 * A chunk has one record for each section below. A section is a group of named columns: numbers of
 * eight bytes, and values of any length that a codec writes. A commit writes a section of a chunk
 * if a field of one of its items is no longer the same object.
 *
 * To store another field of an item:
 *   1. Add it to `StoredItem` (store.ts) as an optional field.
 *   2. Add its codec to `details` below; the compiler requires it. If the field is large or changes
 *      at a different pace than the rest, add a section for it at the end of `sections` instead.
 * A column that a record does not have reads as absent, so older records need no migration.
 * To change what the codec of a column writes, rename the column or raise the version (record.ts).
 */

/**
 * A prime number, so that ids with a common divisor spread. A change must raise the version
 * (record.ts). With more chunks a commit of one check costs less, and a commit of all checks more.
 */
export const chunks = 251;

export function chunkOf(id: number): number {
  return id % chunks;
}

type FieldOf<T> = (item: StoredItem) => T;

/** A column of values of any length. */
interface ValueColumn {
  readonly of: FieldOf<unknown>;
  readonly codec: Codec<unknown>;
}

/** A group of columns that are written together. */
export interface Section {
  readonly numbers: Readonly<Record<string, FieldOf<number | undefined>>>;
  readonly values: Readonly<Record<string, ValueColumn>>;
  /** The fields of the columns. If all are the same objects as before, nothing is written. */
  readonly fields: readonly FieldOf<unknown>[];
}

/** The columns of the section `states`, which every item has. */
const stateNumbers = {
  start: ({ states }: StoredItem) => states.startSeconds,
  horizon: ({ states }: StoredItem) => states.horizonSeconds,
  state: ({ states }: StoredItem) => talliedStates.indexOf(states.state),
  resolution: ({ states }: StoredItem) => states.resolutionSeconds,
  reportUntil: ({ states }: StoredItem) => states.reportUntilSeconds,
  reported: ({ states }: StoredItem) => (states.isReported ? 1 : undefined),
  goneAt: ({ goneAtSeconds }: StoredItem) => goneAtSeconds,
  holds: (item: StoredItem) => holdsOf(item),
};

const facts = list(
  struct<ListedFact>({ kind: oneOf(factKinds), fromSeconds: amount, toSeconds: amount }),
);
const watermark: Codec<Watermark> = struct<Watermark>({
  startSeconds: wholeAmount,
  atSeconds: wholeAmount,
  recent: list(struct<TimedEntry>({ atSeconds: amount, key: string })),
});
const histogram = checked<ResponseHistogram>(
  struct({ boundsSeconds: repeatedAmounts, counts: list(amount), sumMilliseconds: amount }),
  ({ boundsSeconds, counts }) =>
    counts.length === boundsSeconds.length + 1
      ? undefined
      : `${counts.length} counts for ${boundsSeconds.length} bounds`,
);
const country = struct<CountryTally>({
  countryIso: string,
  results: amount,
  responseTimes: amount,
  sumMilliseconds: amount,
});
const results = struct<ResultTally>({
  watermark,
  counts: struct({ up: amount, down: amount, unconfirmed_down: amount, unknown: amount }),
  responseTimes: histogram,
  byCountry: optional(list(country)),
});
const analyses = struct<EventTally>({ watermark, counts: amounts });

/** The counters of an item besides its states. They change less often and can be much larger. */
const details: {
  readonly [K in keyof Omit<StoredItem, 'states' | 'goneAtSeconds' | 'log'>]-?: {
    readonly of: FieldOf<StoredItem[K]>;
    readonly codec: Codec<NonNullable<StoredItem[K]>>;
  };
} = {
  // An accessor for each field is several times as fast as one accessor that takes the name.
  maintenance: { of: ({ maintenance }) => maintenance, codec: secondsByState },
  results: { of: (item) => item.results, codec: results },
  analyses: { of: (item) => item.analyses, codec: analyses },
};

export const sections = {
  states: {
    numbers: stateNumbers,
    values: { facts: { of: ({ states }) => states.facts, codec: facts } },
    fields: [({ states }) => states, ({ goneAtSeconds }) => goneAtSeconds],
  },
  details: { numbers: {}, values: details, fields: Object.values(details).map(({ of }) => of) },
  log: {
    numbers: {},
    values: { log: { of: (item) => item.log, codec: stateLog } },
    fields: [(item) => item.log],
  },
} satisfies Record<string, Section>;
export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

const otherSections = sectionNames.filter((name) => name !== 'states');
const otherFields: readonly (readonly FieldOf<unknown>[])[] = otherSections.map(
  (name) => sections[name].fields,
);

/**
 * One bit for each other section with data of the item. It is stored with the states, so that an
 * item whose record in another section is missing differs from an item without such data.
 */
export function holdsOf(item: StoredItem): number {
  let bits = 0;
  for (let place = 0; place < otherFields.length; place++) {
    if (hasAny(otherFields[place] ?? [], item)) bits |= 1 << place;
  }
  return bits;
}

/** Returns whether at least one of the fields is defined. */
export function hasAny(fields: readonly FieldOf<unknown>[], item: StoredItem): boolean {
  for (const of of fields) if (of(item) !== undefined) return true;
  return false;
}

/** The sections whose bits are set. */
export function sectionsHeld(bits: number): SectionName[] {
  return otherSections.filter((_, place) => (bits & (1 << place)) !== 0);
}

/** The kind of the records of a section. */
export function recordKind(kind: ItemKind, section: SectionName): string {
  return `${kind} ${section}`;
}

/** The item kind and section of a record kind; undefined if it belongs to no section. */
export function sectionOf(
  kind: string,
): { readonly kind: ItemKind; readonly name: SectionName } | undefined {
  for (const item of itemKinds) {
    const name = sectionNames.find((candidate) => recordKind(item, candidate) === kind);
    if (name !== undefined) return { kind: item, name };
  }
  return undefined;
}

/** The columns of an item that were read, keyed by name. */
export interface ItemColumns {
  readonly numbers: Readonly<Record<string, number | undefined>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Makes an item from its columns. Throws a `CorruptRecordError` if they are not valid. */
export function itemOf({ numbers, values }: ItemColumns): StoredItem {
  const need = (name: keyof typeof stateNumbers) => {
    const value = numbers[name];
    if (value === undefined) throw new CorruptRecordError(`it has no ${name}`);
    return value;
  };
  const maybe = (name: keyof typeof stateNumbers) => numbers[name];
  const state = talliedStates[need('state')];
  if (state === undefined) throw new CorruptRecordError('its state is none that there is');
  const [resolution, until, goneAt] = [maybe('resolution'), maybe('reportUntil'), maybe('goneAt')];
  const { facts, ...others } = values;
  const item: StoredItem = {
    states: {
      startSeconds: need('start'),
      horizonSeconds: need('horizon'),
      state,
      ...(resolution !== undefined && { resolutionSeconds: resolution }),
      ...(until !== undefined && { reportUntilSeconds: until }),
      ...(facts !== undefined && { facts: facts as readonly ListedFact[] }),
      ...(maybe('reported') === 1 && { isReported: true }),
    },
    ...(goneAt !== undefined && { goneAtSeconds: goneAt }),
    ...others,
  };
  const wrong = wrongOf(item);
  if (wrong !== undefined) throw new CorruptRecordError(wrong);
  return item;
}

/**
 * Returns how the states of an item break the invariant; undefined if they do not. The log ends by
 * the horizon, and its seconds are the time from the start to its last change.
 */
export function wrongOf({ states, log }: StoredItem): string | undefined {
  const { startSeconds, horizonSeconds } = states;
  if (!(startSeconds >= 0 && horizonSeconds < Number.POSITIVE_INFINITY)) {
    return 'its start or its horizon is not a time';
  }
  if (log === undefined) return undefined;
  const lastSeconds = log.changes.at(-1)?.fromSeconds ?? startSeconds;
  if (!(lastSeconds <= horizonSeconds)) return 'its last change is later than its horizon';
  const { up, down, unknown, unmonitored } = log.seconds;
  const counted = up + down + unknown + unmonitored;
  const span = Math.max(0, lastSeconds - startSeconds);
  // Fractions of a second add up with rounding errors.
  if (!(Math.abs(counted - span) < 0.001)) {
    return `its states add up to ${counted} s, and it was counted for ${span} s`;
  }
  return undefined;
}

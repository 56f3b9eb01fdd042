import { type TimeRange, talliedStates } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import { keysOf, type Mutable, pick, present } from '../../lib/present.ts';
import { StateChanges } from '../../slo/state-changes.ts';
import type { HourSum, StateLog, Tail } from '../../slo/state-log.ts';
import { type Counters, hasCounted } from '../../tally/check-counters.ts';
import { factKinds, type ListedFact, noSeconds, type StateTally } from '../../tally/state-tally.ts';
import type { StoredItem } from '../store.ts';
import {
  amount,
  type FieldReaders,
  list,
  listOf,
  oneOf,
  optional,
  type Reader,
  struct,
  yes,
} from './readers.ts';
import { CorruptRowError } from './row.ts';
import { readEvents, readResults, secondsByState } from './tallies.ts';

/*
 * How a check or a transaction is stored, each kind in rows of its own:
 *
 *   row `check`       the fields that a list leaves as they are: its start, its counters of results
 *                     unless they have counted nothing since the start
 *   row `check log`   its states, if it was not always up, with a version
 *   horizon `check`   [id, horizon, version of the log, evidence?] of each item whose id modulo
 *                     `parts` is the part. A list moves the horizons of all items and writes these
 *                     rows only.
 *
 * A version of 0 stands for no log. A log whose version is not that of its horizon is from another
 * commit. To store another field of an item, add it to `StoredItem` (store.ts) as an optional field;
 * the compiler then asks for its reader here. A field that a row does not have reads as absent, so
 * older rows stay readable.
 */

/** A prime number, so that ids with a common divisor spread. A change must raise the version. */
export const parts = 251;

export function partOf(id: number): number {
  return id % parts;
}

/** The fields of `states` that are in the row of the item. */
type StateField = 'startSeconds' | 'resolutionSeconds';
export type ItemBody = Omit<StoredItem, 'states' | 'log'> & Pick<StateTally, StateField>;
/** What a list may change besides the horizon. */
type Evidence = Omit<StateTally, StateField | 'horizonSeconds'>;

/** The horizon of an item as it is stored. */
export interface HorizonEntry {
  readonly id: number;
  readonly horizonSeconds: number;
  readonly version: number;
  readonly evidence: Evidence;
}

export interface VersionedLog {
  readonly log: StateLog;
  readonly version: number;
}

const stateFields = { startSeconds: amount, resolutionSeconds: optional(amount) };
/** The fields of a row; reader and comparison follow from them. */
const ownFields: FieldReaders<Omit<ItemBody, StateField>> = {
  goneAtSeconds: optional(amount),
  firstSightSeconds: optional(amount),
  sealedUntilSeconds: optional(amount),
  maintenance: optional(secondsByState),
  results: optional(readResults),
  analyses: optional(readEvents),
};
export const readItem: Reader<ItemBody> = struct<ItemBody>({ ...stateFields, ...ownFields });

const stateNames = keysOf(stateFields);
const ownNames = keysOf(ownFields);

export function itemBody(item: StoredItem): ItemBody {
  const { startSeconds, resolutionSeconds } = item.states;
  return present({
    ...pick(item, ownNames),
    startSeconds,
    resolutionSeconds,
    results: counted(item.results, startSeconds),
    analyses: counted(item.analyses, startSeconds),
  });
}

/** The row lacks counters that have counted nothing since the start of the item. */
function counted<T extends Counters>(tally: T | undefined, startSeconds: number): T | undefined {
  return tally !== undefined && hasCounted(tally, startSeconds) ? tally : undefined;
}

/** Returns whether the row of the item must be written. */
export function isItemChanged(before: StoredItem, after: StoredItem): boolean {
  for (const name of stateNames) if (before.states[name] !== after.states[name]) return true;
  for (const name of ownNames) {
    if (before[name] !== after[name] && !isUncounted(name, before, after)) return true;
  }
  return false;
}

/** Returns whether a field has counters that have counted nothing before or after a change. */
function isUncounted(name: keyof StoredItem, ...items: readonly StoredItem[]): boolean {
  if (name !== 'results' && name !== 'analyses') return false;
  return items.every(
    ({ [name]: tally, states }) => counted<Counters>(tally, states.startSeconds) === undefined,
  );
}

const evidenceFields: FieldReaders<Evidence> = {
  state: oneOf(talliedStates),
  reportUntilSeconds: optional(amount),
  unknownUntilSeconds: optional(amount),
  pausedSinceSeconds: optional(amount),
  facts: optional(
    listOf(struct<ListedFact>({ kind: oneOf(factKinds), fromSeconds: amount, toSeconds: amount })),
  ),
  isReported: optional(yes),
};
const readEvidence = struct<Evidence>(evidenceFields);
const evidenceNames = keysOf(evidenceFields);
const wasUp: Evidence = { state: 'up' };

export const readHorizons = listOf((value): HorizonEntry => {
  const [id, horizonSeconds, version, evidence] = list(value);
  return {
    id: amount(id),
    horizonSeconds: amount(horizonSeconds),
    version: amount(version),
    evidence: evidence === undefined ? wasUp : readEvidence(evidence),
  };
});

/** The JSON of an entry of `horizon`. */
export function horizonText(id: number, { states }: StoredItem, version: number): string {
  const { horizonSeconds } = states;
  const isPlain = evidenceNames.every((name) => states[name] === wasUp[name]);
  if (isPlain) return `[${id},${horizonSeconds},${version}]`;
  return JSON.stringify([id, horizonSeconds, version, pick(states, evidenceNames)]);
}

const readHour = (value: unknown): HourSum => {
  const [from, to, ...sums] = list(value);
  const [fromSeconds, toSeconds] = [amount(from), amount(to)];
  const [up, down, unknown, unmonitored] = sums.map(amount);
  const seconds = secondsByState({ up, down, unknown, unmonitored });
  if (seconds.up + seconds.down + seconds.unknown + seconds.unmonitored === toSeconds - fromSeconds)
    return { fromSeconds, toSeconds, seconds };
  throw new CorruptRowError('the states of an hour do not add up to the hour');
};
const stateOf = oneOf(talliedStates);
const readChanges: Reader<StateChanges> = (value) => {
  const flat = list(value);
  // An array that grows while it is filled would reserve half as much again.
  const length = Math.ceil(flat.length / 2);
  const states = Array.from({ length }, (_, place) => stateOf(flat[2 * place]));
  const times = Array.from({ length }, (_, place) => amount(flat[2 * place + 1]));
  if (times.some((time, place) => time <= (times[place - 1] ?? Number.NEGATIVE_INFINITY))) {
    throw new CorruptRowError('the changes of a log are not in order');
  }
  return new StateChanges(states, times);
};
const readRange = struct<TimeRange>({ fromSeconds: amount, toSeconds: amount });
const readRanges: Reader<readonly TimeRange[]> = (value) => {
  const ranges = listOf(readRange)(value);
  let end = Number.NEGATIVE_INFINITY;
  for (const { fromSeconds, toSeconds } of ranges) {
    if (!(fromSeconds > end && toSeconds > fromSeconds)) {
      throw new CorruptRowError('the ranges of a log are not in order');
    }
    end = toSeconds;
  }
  return ranges;
};
/** Most items have not counted a change yet. They share this object, to save memory. */
const readSeconds: Reader<SecondsByState> = (value) => {
  const read = secondsByState(value);
  return plainEqual(read, noSeconds) ? noSeconds : read;
};
const readLogFields = struct<StateLog>({
  knownFromSeconds: amount,
  hours: listOf(readHour),
  changes: readChanges,
  seconds: readSeconds,
  outages: amount,
  lastOutageSeconds: optional(amount),
  tail: optional(
    struct<Tail>({
      fromSeconds: amount,
      toSeconds: amount,
      isEndListed: optional(yes),
      askFromSeconds: amount,
    }),
  ),
  givenUp: optional(readRanges),
});
const readVersion = struct({ version: amount });

export const readLog: Reader<VersionedLog> = (value) => ({
  log: readLogFields(value),
  version: readVersion(value).version,
});

export function logBody({ log, version }: VersionedLog): unknown {
  const { hours, changes } = log;
  // One list: a list for each change takes twice as long to parse.
  const flat: (string | number)[] = [];
  for (const { state, fromSeconds } of changes) flat.push(state, fromSeconds);
  return {
    ...log,
    version,
    hours: hours.map(({ fromSeconds, toSeconds, seconds }) => {
      const { up, down, unknown, unmonitored } = seconds;
      return [fromSeconds, toSeconds, up, down, unknown, unmonitored];
    }),
    changes: flat,
  };
}

/**
 * The item of its rows. Throws a `CorruptRowError` if they do not belong together. Node.js 20 gives
 * each object that is made of the rest of another a hidden class of its own, so none is.
 */
export function itemOf(
  body: ItemBody,
  { horizonSeconds, version, evidence }: HorizonEntry,
  logged: VersionedLog | undefined,
): StoredItem {
  if (logged === undefined && version !== 0) throw new CorruptRowError('its log is missing');
  if ((logged?.version ?? 0) !== version) {
    throw new CorruptRowError('its log and its horizon are of different commits');
  }
  const { startSeconds, resolutionSeconds } = body;
  const states = present({ startSeconds, resolutionSeconds, horizonSeconds, ...evidence });
  const item: Mutable<StoredItem> = { ...pick(body, ownNames), states };
  if (logged !== undefined) item.log = logged.log;
  const wrong = wrongOf(item);
  if (wrong !== undefined) throw new CorruptRowError(wrong);
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
  // Totals that begin again at 0 start after the horizon. Without a change there is no end to compare.
  const last = log.changes.at(-1);
  if (last !== undefined && !(last.fromSeconds <= horizonSeconds)) {
    return 'its last change is later than its horizon';
  }
  const { up, down, unknown, unmonitored } = log.seconds;
  const counted = up + down + unknown + unmonitored;
  const span = Math.max(0, (last?.fromSeconds ?? startSeconds) - startSeconds);
  // Fractions of a second add up with rounding errors.
  if (!(Math.abs(counted - span) < 0.001)) {
    return `its states add up to ${counted} s, and it was counted for ${span} s`;
  }
  return undefined;
}

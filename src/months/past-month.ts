import type { TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { ReadPast } from '../feature.ts';
import { StateChanges } from '../slo/state-changes.ts';
import { emptyLog } from '../slo/state-log.ts';
import type { ItemKind } from '../store/store.ts';
import { clip } from '../tally/maintenance-tally.ts';
import { noSeconds } from '../tally/state-tally.ts';
import {
  type MonthOutage,
  type MonthRecord,
  type MonthSource,
  type MonthStates,
  monthStates,
  total,
} from './month-record.ts';

/** The states of an item in a month that ended before its first sight; undefined if none is known. */
export function statesBefore(
  past: ReadPast,
  kind: ItemKind,
  month: TimeRange,
  createdAtSeconds: number | undefined,
): MonthStates | undefined {
  if (past.toSeconds < month.toSeconds) return undefined;
  const states = monthStates({ ...sourceOf(past), kind, createdAtSeconds }, month);
  return total(states.seconds) === 0 ? undefined : { ...states, knownBy: 'reports' };
}

/**
 * The record with the states of the time that was not watched, which lies at its beginning;
 * undefined if they were not read. The names, groups and objectives of the month stay.
 */
export function completedBy(
  past: ReadPast,
  record: MonthRecord,
  month: TimeRange,
  atSeconds: number,
): MonthRecord | undefined {
  const { kind, createdAtSeconds, unwatched, seconds, maintenance } = record;
  const watchedFrom = Math.max(month.fromSeconds, createdAtSeconds ?? 0) + unwatched;
  if (past.toSeconds < watchedFrom) return undefined;
  const before = monthStates(
    { ...sourceOf(pastUntil(past, watchedFrom)), kind, createdAtSeconds },
    { fromSeconds: month.fromSeconds, toSeconds: watchedFrom },
  );
  if (before.unwatched >= unwatched) return undefined;
  const planned = added(maintenance ?? noSeconds, before.maintenance ?? noSeconds);
  return {
    ...record,
    seconds: added(seconds, before.seconds),
    ...(total(planned) > 0 && { maintenance: planned }),
    unwatched: before.unwatched,
    outages: joined(before.outages, record.outages, watchedFrom),
    knownBy: before.knownBy === 'lists' ? record.knownBy : 'reports',
    readAfterwards: record.readAfterwards ?? { share: 'part', atSeconds },
  };
}

function pastUntil({ states, ...past }: ReadPast, toSeconds: number): ReadPast {
  const earlier = states.flatMap(({ state, ...span }) =>
    clip([span], past.fromSeconds, toSeconds).map((part) => ({ state, ...part })),
  );
  return { ...past, toSeconds, states: earlier };
}

/** The past as if it had been counted up to its end. */
function sourceOf({
  fromSeconds,
  toSeconds,
  states,
  maintenance,
}: ReadPast): Pick<MonthSource, 'known' | 'occurrences'> {
  const state = states.at(-1)?.state ?? 'unmonitored';
  return {
    known: {
      states: { startSeconds: fromSeconds, horizonSeconds: toSeconds, state },
      log: {
        ...emptyLog(fromSeconds),
        changes: StateChanges.of(states),
      },
    },
    occurrences: maintenance,
  };
}

/** The outages before and after a time at which the watch began. */
function joined(
  before: readonly MonthOutage[],
  after: readonly MonthOutage[],
  atSeconds: number,
): readonly MonthOutage[] {
  const open = before.find(({ toSeconds }) => toSeconds === undefined);
  const ended = before.filter((outage) => outage !== open);
  const [first, ...rest] = after;
  // Only now it is known whether the first outage began with the watch or was open before it.
  if (first?.fromSeconds === atSeconds && first.beganBefore) {
    const { beganBefore: _, ...outage } = first;
    if (open === undefined) return [...ended, outage, ...rest];
    const maintenance = open.maintenance === first.maintenance ? open.maintenance : 'part';
    return [...ended, { ...open, ...outage, fromSeconds: open.fromSeconds, maintenance }, ...rest];
  }
  return [...ended, ...(open ? [{ ...open, toSeconds: atSeconds }] : []), ...after];
}

function added(a: SecondsByState, b: SecondsByState): SecondsByState {
  return {
    up: a.up + b.up,
    down: a.down + b.down,
    unknown: a.unknown + b.unknown,
    unmonitored: a.unmonitored + b.unmonitored,
  };
}

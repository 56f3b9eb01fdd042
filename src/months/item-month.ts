import type { Check } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountParts } from '../feature.ts';
import type { Month } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import { notTestedFrom } from '../tally/listed-facts.ts';
import {
  lifeIn,
  type MonthRecord,
  type MonthSource,
  type MonthStates,
  type MonthSubject,
  monthStates,
} from './month-record.ts';
import type { NamesOfThen } from './names-of-then.ts';

/** The parts of an account from which the months of its items are computed. */
export type ItemParts = Pick<AccountParts, 'state' | 'policies' | 'isPastRead'> & {
  readonly namesOfThen: NamesOfThen;
};

/** When a month is looked at. */
export interface Looked {
  readonly nowSeconds: number;
  /** Time after a horizon becomes known by itself; see `MonthSource`. */
  readonly isLateAwaited: boolean;
  /** When the item left the account. */
  readonly removedAtSeconds?: number | undefined;
}

export function itemsOf({ checks, transactions }: AccountParts['state'], kind: ItemKind) {
  return kind === 'check' ? checks : transactions;
}

/** The facts about an item that a month keeps, as the last list before its end had them. */
export function subjectOf(
  kind: ItemKind,
  { entry }: Pick<ListedItem, 'entry'>,
  month: Month,
  { namesOfThen }: Pick<ItemParts, 'namesOfThen'>,
): MonthSubject {
  const { id } = entry;
  const { objectives, groups } = namesOfThen.policyAt(month);
  const named = { id, ...namesOfThen.of(kind, entry, month) };
  const names = kind === 'check' ? groups.of(named) : [];
  return present({
    kind,
    id,
    name: named.name,
    hostname: 'hostname' in entry ? entry.hostname : undefined,
    tags: named.tags.map((tag) => tag.name),
    groups: names.map((group) => ({ name: group, ratio: objectives.ofGroup(group).ratio })),
    objective: objectives.of(named).ratio,
  });
}

/** The month of an item, as far as it is counted now. */
export function monthOf(
  kind: ItemKind,
  item: ListedItem,
  month: Month,
  parts: ItemParts,
  looked: Looked,
): MonthRecord {
  return {
    ...subjectOf(kind, item, month, parts),
    ...monthStates(sourceOf(kind, item, parts, looked), month, daysOf(month, parts)),
  };
}

/** The begins of the days of a month. */
export function daysOf(month: Month, { policies }: Pick<ItemParts, 'policies'>): readonly number[] {
  return policies.calendar.dayBegins(month);
}

export function monthStatesOf(
  kind: ItemKind,
  item: ListedItem,
  month: TimeRange,
  parts: ItemParts,
  looked: Looked,
): MonthStates {
  return monthStates(sourceOf(kind, item, parts, looked), month);
}

/** Whether something of the month is known, or becomes known by itself. */
export function isKnownIn(
  kind: ItemKind,
  item: ListedItem,
  month: TimeRange,
  parts: ItemParts,
  looked: Looked,
): boolean {
  const source = sourceOf(kind, item, parts, looked);
  const { fromSeconds, toSeconds } = lifeIn(source, month);
  if (fromSeconds >= toSeconds) return false;
  const recordedFrom = recordedFromSeconds(item.totals, item.entry.createdAtSeconds);
  return recordedFrom < toSeconds || monthStates(source, month).awaited.length > 0;
}

function sourceOf(
  kind: ItemKind,
  { entry, totals, details }: ListedItem,
  { state, isPastRead }: ItemParts,
  { removedAtSeconds, ...looked }: Looked,
): MonthSource {
  const occurrencesOf = kind === 'check' ? state.occurrencesOf : state.transactionOccurrencesOf;
  const interval = 'intervalSeconds' in entry ? entry.intervalSeconds : undefined;
  const listed = 'resolutionSeconds' in entry ? entry.resolutionSeconds : interval;
  return {
    ...looked,
    known: totals,
    kind,
    createdAtSeconds: entry.createdAtSeconds,
    removedAtSeconds,
    resolutionSeconds: totals.states.resolutionSeconds ?? listed,
    notTestedFromSeconds: kind === 'check' ? notTestedFrom(entry as Check) : undefined,
    occurrences: occurrencesOf(entry.id),
    notes: details.notes?.value,
    isPastRead: isPastRead && removedAtSeconds === undefined,
  };
}

import type { AccountParts } from '../feature.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import type { Month } from './calendar.ts';
import { type MonthRecord, type MonthSubject, monthStates } from './month-record.ts';

type ItemParts = Pick<AccountParts, 'state' | 'policies'>;

export function itemsOf({ checks, transactions }: AccountParts['state'], kind: ItemKind) {
  return kind === 'check' ? checks : transactions;
}

/** The facts about an item that a month keeps, as they are now. */
export function subjectOf(
  kind: ItemKind,
  { entry }: Pick<ListedItem, 'entry'>,
  { policies }: Pick<ItemParts, 'policies'>,
): MonthSubject {
  const { objectives, groups } = policies.slo;
  const { id, name, tags } = entry;
  const names = kind === 'check' ? groups.of(entry) : [];
  return {
    kind,
    id,
    name,
    tags: tags.map((tag) => tag.name),
    groups: names.map((group) => ({ name: group, ratio: objectives.ofGroup(group).ratio })),
    objective: objectives.of(entry).ratio,
  };
}

/** The month of an item, as far as it is counted now. */
export function monthOf(
  kind: ItemKind,
  item: ListedItem,
  month: Month,
  { state, policies }: ItemParts,
  removedAtSeconds?: number,
): MonthRecord {
  const { entry, totals, details } = item;
  const { id, createdAtSeconds } = entry;
  const occurrencesOf = kind === 'check' ? state.occurrencesOf : state.transactionOccurrencesOf;
  const source = { known: totals, kind, createdAtSeconds, removedAtSeconds };
  return {
    ...subjectOf(kind, item, { policies }),
    ...monthStates(
      { ...source, occurrences: occurrencesOf(id), notes: details.notes?.value },
      month,
    ),
  };
}

/** Whether the item was seen before the end of the month, and not created later. */
export function existedIn({ entry, totals }: ListedItem, { toSeconds }: Month): boolean {
  const { createdAtSeconds = 0 } = entry;
  return Math.max(totals.states.startSeconds, createdAtSeconds) < toSeconds;
}

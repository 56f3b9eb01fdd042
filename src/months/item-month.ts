import type { AccountParts } from '../feature.ts';
import type { Month } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import type { MonthSubject } from './month-record.ts';
import type { NamesOfThen } from './names-of-then.ts';

/** The parts of an account from which the months of its items are computed. */
export type ItemParts = Pick<AccountParts, 'state' | 'policies' | 'isPastRead'> & {
  readonly namesOfThen: NamesOfThen;
};

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

/** The begins of the days of a month. */
export function daysOf(month: Month, { policies }: Pick<ItemParts, 'policies'>): readonly number[] {
  return policies.calendar.dayBegins(month);
}

import { getOrMake } from '../../lib/get-or-make.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import { type GroupMember, type GroupRow, groupRow, type SloPolicy } from '../../slo/groups.ts';
import type { ObjectiveSubject } from '../../slo/objectives.ts';
import type { SecondsByRange } from '../../slo/range-seconds.ts';
import type { AccountSlo, SloCheck, SloItem } from './account-slo.ts';

export interface GroupEvents {
  /** More groups than before exceed the configured limit; `names` are all that do, by name. */
  groupsLeftOut(names: readonly string[]): void;
}

interface ShownGroups {
  /** Ordered by name. */
  readonly rows: readonly GroupRow[];
  /** The names of the groups beyond the limit of the configuration, in order. */
  readonly leftOut: readonly string[];
}

/** The members, in the order of the list. `version` changes with their names and tags. */
interface Grouping {
  /** The policy, and a function that returns the groups of a member. */
  readonly slo: AccountSlo;
  readonly items: () => Iterable<SubjectItem>;
  readonly version: number;
}

/** The places at a check. */
export interface GroupedItem {
  groupMember: GroupMember | undefined;
  groups: readonly Group[];
}

interface SubjectItem extends GroupedItem, SloItem {
  readonly entry: ObjectiveSubject;
}

interface Group {
  readonly name: string;
  /** Whether the configuration names it, or has an objective for it. */
  readonly isChosen: boolean;
  readonly items: GroupedItem[];
  /** The number of its members that are down. */
  down: number;
  isShown: boolean;
  row: GroupRow | undefined;
}

/** Most checks are in no group. They share this list. */
export const inNoGroup: readonly Group[] = [];

const noGroups: ShownGroups = { rows: [], leftOut: [] };

/**
 * The groups of an account's checks. Members are regrouped when a name or a tag changes; the row of
 * a group is rebuilt when the contribution of a member changes. Up to the limit of the
 * configuration, groups are shown in this order: those that it chooses, those with a check that is
 * down, those that are shown already, and then by name.
 */
export class AccountGroups {
  readonly #events: GroupEvents;
  #all: readonly Group[] = [];
  #grouping: { readonly policy: SloPolicy; readonly version: number } | undefined;
  #isSelected = false;
  #isChanged = true;
  #shown = noGroups;

  constructor(events: GroupEvents) {
    this.#events = events;
  }

  contribute(
    item: GroupedItem,
    { id, status }: SloCheck,
    seconds: SecondsByRange,
    hasOpenOutage: boolean,
  ): void {
    const before = item.groupMember;
    const isSame =
      before?.status === status &&
      plainEqual(before.seconds, seconds) &&
      before.hasOpenOutage === hasOpenOutage;
    if (isSame) return;
    const member = { id, status, seconds, hasOpenOutage };
    item.groupMember = member;
    const change = Number(isDown(member)) - Number(before !== undefined && isDown(before));
    if (change !== 0) this.#isSelected = false;
    for (const group of item.groups) {
      group.row = undefined;
      group.down += change;
    }
    this.#isChanged = true;
  }

  /** The groups with checks. */
  shown(grouping: Grouping): ShownGroups {
    const { slo, version } = grouping;
    const { policy } = slo;
    if (policy.groups.isEmpty) return noGroups;
    if (this.#grouping?.policy !== policy || this.#grouping.version !== version) {
      this.#group(grouping);
    }
    if (!this.#isChanged) return this.#shown;
    if (!this.#isSelected) this.#select(policy.groups.maxGroups);
    const rows = this.#all
      .filter(({ isShown }) => isShown)
      .map((group) => {
        group.row ??= groupRow(group.name, membersOf(group), policy.objectives.ofGroup(group.name));
        return group.row;
      });
    this.#shown = { ...this.#shown, rows };
    this.#isChanged = false;
    return this.#shown;
  }

  #group({ slo, items, version }: Grouping): void {
    const { policy } = slo;
    const shown = new Set(this.#all.filter(({ isShown }) => isShown).map(({ name }) => name));
    const groups = new Map<string, Group>();
    const newGroup = (name: string): Group => ({
      name,
      isChosen: isChosen(policy, name),
      items: [],
      down: 0,
      isShown: shown.has(name),
      row: undefined,
    });
    /** By the names that items share. */
    const lists = new Map<readonly string[], readonly Group[]>();
    for (const item of items()) {
      const { groupMember } = item;
      const names = slo.groupsOf(item, item.entry);
      if (names.length === 0) {
        item.groups = inNoGroup;
        continue;
      }
      item.groups = getOrMake(lists, names, () =>
        names.map((name) => getOrMake(groups, name, () => newGroup(name))),
      );
      for (const group of item.groups) {
        group.items.push(item);
        if (groupMember !== undefined && isDown(groupMember)) group.down++;
      }
    }
    this.#all = [...groups.values()].sort(byName);
    this.#grouping = { policy, version };
    this.#isSelected = false;
    this.#isChanged = true;
  }

  #select(maxGroups: number): void {
    const ranked =
      this.#all.length <= maxGroups
        ? this.#all
        : this.#all.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));
    for (const [place, group] of ranked.entries()) group.isShown = place < maxGroups;
    const before = this.#shown.leftOut.length;
    const leftOut = this.#all.filter(({ isShown }) => !isShown).map(({ name }) => name);
    this.#shown = { rows: [], leftOut };
    if (leftOut.length > before) this.#events.groupsLeftOut(leftOut);
    this.#isSelected = true;
  }
}

function membersOf({ items }: Group): readonly GroupMember[] {
  const members: GroupMember[] = [];
  for (const { groupMember } of items) if (groupMember !== undefined) members.push(groupMember);
  return members;
}

function isDown({ status, hasOpenOutage }: GroupMember): boolean {
  return status === 'down' || hasOpenOutage;
}

function isChosen({ groups, objectives }: SloPolicy, name: string): boolean {
  return groups.isNamed(name) || objectives.hasRuleForGroup(name);
}

function rankOf({ isChosen, down, isShown }: Group): number {
  if (isChosen) return 0;
  if (down > 0) return 1;
  return isShown ? 2 : 3;
}

function byName(a: Group, b: Group): number {
  return a.name < b.name ? -1 : 1;
}

import { plainEqual } from '../../lib/plain-equal.ts';
import { type GroupMember, type GroupRow, groupRow, type SloPolicy } from '../../slo/groups.ts';
import type { ObjectiveSubject } from '../../slo/objectives.ts';
import type { SecondsByRange } from '../../slo/range-seconds.ts';
import type { AccountSlo, SloCheck } from './account-slo.ts';

export interface GroupEvents {
  /** `groups` is the number of further groups that exceed the configured limit. */
  groupsDropped(groups: number): void;
}

/** The members, in the order of the list. `version` changes with their names and tags. */
interface Grouping {
  /** The policy, and a function that returns the groups of a member. */
  readonly windows: Pick<AccountSlo, 'policy' | 'groupsOf'>;
  readonly subjects: () => Iterable<ObjectiveSubject>;
  readonly version: number;
}

interface GroupIds {
  readonly ids: number[];
  row: GroupRow | undefined;
}

/**
 * The groups of an account's checks. Members are regrouped when a name or a tag changes; the row of
 * a group is rebuilt when the contribution of a member changes.
 */
export class AccountGroups {
  readonly #events: GroupEvents;
  readonly #members = new Map<number, GroupMember>();
  readonly #groupsOf = new Map<number, readonly GroupIds[]>();
  #groups = new Map<string, GroupIds>();
  #grouping: { readonly policy: SloPolicy; readonly version: number } | undefined;
  #dropped = 0;
  #isChanged = true;
  #rows: readonly GroupRow[] = [];

  constructor(events: GroupEvents) {
    this.#events = events;
  }

  contribute({ id, status }: SloCheck, seconds: SecondsByRange, hasOpenOutage: boolean): void {
    const before = this.#members.get(id);
    const isSame =
      before?.status === status &&
      plainEqual(before.seconds, seconds) &&
      before.hasOpenOutage === hasOpenOutage;
    if (isSame) return;
    this.#members.set(id, { id, status, seconds, hasOpenOutage });
    for (const group of this.#groupsOf.get(id) ?? []) group.row = undefined;
    this.#isChanged = true;
  }

  forget(id: number): void {
    this.#members.delete(id);
    this.#groupsOf.delete(id);
  }

  /** The groups with checks, ordered by name, up to the limit of the configuration. */
  rows(grouping: Grouping): readonly GroupRow[] {
    const { windows, version } = grouping;
    const { policy } = windows;
    if (policy.groups.isEmpty) return [];
    if (this.#grouping?.policy !== policy || this.#grouping.version !== version) {
      this.#group(grouping);
    }
    if (!this.#isChanged) return this.#rows;
    this.#isChanged = false;
    this.#rows = [...this.#groups].map(([name, group]) => {
      group.row ??= groupRow(name, this.#membersOf(group), policy.objectives.ofGroup(name));
      return group.row;
    });
    return this.#rows;
  }

  #group({ windows, subjects, version }: Grouping): void {
    const { policy } = windows;
    const groups = new Map<string, GroupIds>();
    const dropped = new Set<string>();
    this.#groupsOf.clear();
    for (const subject of subjects()) {
      const own: GroupIds[] = [];
      for (const name of windows.groupsOf(subject)) {
        const group = groups.get(name) ?? { ids: [], row: undefined };
        if (group.ids.length === 0 && groups.size >= policy.groups.maxGroups) dropped.add(name);
        else {
          group.ids.push(subject.id);
          groups.set(name, group);
          own.push(group);
        }
      }
      if (own.length > 0) this.#groupsOf.set(subject.id, own);
    }
    this.#groups = new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (dropped.size > this.#dropped) this.#events.groupsDropped(dropped.size - this.#dropped);
    this.#dropped = dropped.size;
    this.#grouping = { policy, version };
    this.#isChanged = true;
  }

  #membersOf({ ids }: GroupIds): GroupMember[] {
    return ids.flatMap((id) => this.#members.get(id) ?? []);
  }
}

import { type GroupMember, type GroupRow, groupRow, type SloPolicy } from '../../windows/groups.ts';
import type { ObjectiveSubject } from '../../windows/objectives.ts';

interface AccountGroupsOptions {
  readonly namesOf: (subject: ObjectiveSubject) => readonly string[];
  /** So many groups more than before are beyond those that the configuration allows. */
  readonly onDropped: (groups: number) => void;
}

/** The members to group, in the order of the list, and a number that differs when they do. */
interface Grouping {
  readonly policy: SloPolicy;
  readonly subjects: () => Iterable<ObjectiveSubject>;
  readonly version: number;
}

interface GroupIds {
  readonly ids: number[];
  row: GroupRow | undefined;
}

/**
 * The groups of an account's checks. Members are regrouped when a name or a tag changes; the row of a group
 * is rebuilt when the contribution of a member changes.
 */
export class AccountGroups {
  readonly #options: AccountGroupsOptions;
  readonly #members = new Map<number, GroupMember>();
  readonly #groupsOf = new Map<number, readonly GroupIds[]>();
  #groups = new Map<string, GroupIds>();
  #grouping: Pick<Grouping, 'policy' | 'version'> | undefined;
  #dropped = 0;
  #isChanged = true;
  #rows: readonly GroupRow[] = [];

  constructor(options: AccountGroupsOptions) {
    this.#options = options;
  }

  contribute(member: GroupMember): void {
    const { id } = member;
    const before = this.#members.get(id);
    const isSame =
      before?.status === member.status &&
      before.seconds === member.seconds &&
      before.hasOpenOutage === member.hasOpenOutage;
    if (isSame) return;
    this.#members.set(id, member);
    for (const group of this.#groupsOf.get(id) ?? []) group.row = undefined;
    this.#isChanged = true;
  }

  forget(id: number): void {
    this.#members.delete(id);
  }

  /** The groups that have checks, ordered by name; at most as many as the configuration allows. */
  rows(grouping: Grouping): readonly GroupRow[] {
    const { policy, version } = grouping;
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

  #group({ policy, subjects, version }: Grouping): void {
    const { namesOf, onDropped } = this.#options;
    const groups = new Map<string, GroupIds>();
    const dropped = new Set<string>();
    this.#groupsOf.clear();
    for (const subject of subjects()) {
      const own: GroupIds[] = [];
      for (const name of namesOf(subject)) {
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
    if (dropped.size > this.#dropped) onDropped(dropped.size - this.#dropped);
    this.#dropped = dropped.size;
    this.#grouping = { policy, version };
    this.#isChanged = true;
  }

  #membersOf({ ids }: GroupIds): GroupMember[] {
    return ids.flatMap((id) => this.#members.get(id) ?? []);
  }
}

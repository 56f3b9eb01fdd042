import type { CheckStatus } from '../domain/check.ts';
import { type ErrorBudget, errorBudget, type RatioByRange } from './error-budget.ts';
import type { Selectors } from './objectives.ts';
import {
  type Fits,
  type Objective,
  ObjectivePolicy,
  type ObjectiveSettings,
  type ObjectiveSubject,
} from './objectives.ts';
import {
  type CountedSeconds,
  type ErrorRange,
  errorBudgetRange,
  errorRanges,
  type SecondsByRange,
} from './range-seconds.ts';

/** A group of the configuration: the checks that match one of its selectors. */
interface NamedGroup extends Selectors {
  readonly name: string;
}

/** The groups of the configuration. */
interface GroupSettings {
  readonly named?: readonly NamedGroup[];
  /** For every tag that matches one of these patterns, the checks with this tag are a group. */
  readonly fromTags?: readonly string[];
  /** The maximum number of groups of one account. Further groups are not shown. */
  readonly maxGroups?: number;
}

interface GroupOptions extends GroupSettings {
  readonly fits: Fits;
}

export const defaultMaxGroups = 100;

/** Finds the groups of a check. */
export class GroupPolicy {
  readonly settings: GroupSettings;
  readonly maxGroups: number;
  readonly #named: readonly NamedGroup[];
  readonly #fromTags: readonly string[];
  readonly #fits: Fits;

  constructor({ fits, ...settings }: GroupOptions) {
    const { named = [], fromTags = [], maxGroups = defaultMaxGroups } = settings;
    this.settings = settings;
    this.#named = named;
    this.#fromTags = fromTags;
    this.maxGroups = maxGroups;
    this.#fits = fits;
  }

  get isEmpty(): boolean {
    return this.#named.length === 0 && this.#fromTags.length === 0;
  }

  /** The names of the configuration's own groups, in its order. */
  get names(): readonly string[] {
    return this.#named.map(({ name }) => name);
  }

  /** Whether a group may have this name, or one that fits this pattern. */
  mayHave(pattern: string): boolean {
    return (
      this.#named.some(({ name }) => this.#fits(pattern, name)) ||
      this.#fromTags.some((tags) => this.#fits(tags, pattern) || pattern.includes('*'))
    );
  }

  /** Whether the configuration has a group of this name. */
  isNamed(name: string): boolean {
    return this.#named.some((group) => group.name === name);
  }

  of({ id, name, tags }: ObjectiveSubject): readonly string[] {
    const groups = new Set<string>();
    const hasTag = (pattern: string) => tags.some((tag) => this.#fits(pattern, tag.name));
    for (const group of this.#named) {
      const isMember =
        group.ids?.includes(id) ||
        group.names?.some((pattern) => this.#fits(pattern, name)) ||
        group.tags?.some(hasTag);
      if (isMember) groups.add(group.name);
    }
    for (const { name: tag } of tags) {
      if (this.#fromTags.some((pattern) => this.#fits(pattern, tag)))
        groups.add(tag.toWellFormed());
    }
    return [...groups];
  }
}

/** The objectives and groups of the configuration, which all accounts share. */
export interface SloPolicy {
  readonly objectives: ObjectivePolicy;
  readonly groups: GroupPolicy;
}

/** The objectives and groups of a configuration, as data. */
export interface SloSettings {
  readonly objectives: ObjectiveSettings;
  readonly groups: GroupSettings;
}

/** The policy of these settings. */
export function sloPolicy({ objectives, groups }: SloSettings, fits: Fits): SloPolicy {
  return {
    objectives: new ObjectivePolicy({ ...objectives, fits }),
    groups: new GroupPolicy({ ...groups, fits }),
  };
}

export function sloSettingsOf({ objectives, groups }: SloPolicy): SloSettings {
  return { objectives: objectives.settings, groups: groups.settings };
}

/** The default objective for all items, and no groups. */
export function defaultSloPolicy(): SloPolicy {
  return sloPolicy({ objectives: {}, groups: {} }, (pattern, text) => pattern === text);
}

/** The data of a check from which its groups are computed. */
export interface GroupMember {
  readonly id: number;
  readonly status: CheckStatus;
  readonly seconds: SecondsByRange;
  readonly hasOpenOutage: boolean;
}

/** The state of a group, and its error budget for its objective. */
export interface GroupRow {
  readonly name: string;
  readonly statuses: ReadonlyMap<CheckStatus, number>;
  /** The number of open outages of the group's checks. */
  readonly outagesOpen: number;
  /** The error budget, computed from the summed seconds of the group's checks. */
  readonly budget: ErrorBudget;
  /** The highest error ratio of a single check, keyed by range. */
  readonly worst: RatioByRange;
  /** The ids of the group's checks, in the order of the list. */
  readonly checkIds: readonly number[];
  /** Checks whose last 30 days are unknown. With any, the group has no 30-day ratio. */
  readonly unknownIds: readonly number[];
}

/** A range is known if it is known for all checks. The mean weights by monitored time. */
export function groupRow(
  name: string,
  members: readonly GroupMember[],
  objective: Objective,
): GroupRow {
  const statuses = new Map<CheckStatus, number>();
  const checkIds: number[] = [];
  const unknownIds: number[] = [];
  let outagesOpen = 0;
  for (const { id, status, seconds, hasOpenOutage } of members) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    checkIds.push(id);
    if (seconds[errorBudgetRange] === undefined) unknownIds.push(id);
    if (hasOpenOutage) outagesOpen += 1;
  }
  const seconds: { [R in ErrorRange]?: CountedSeconds } = {};
  const worst: { [R in ErrorRange]?: number } = {};
  for (const range of errorRanges) {
    let [up, down, most] = [0, 0, 0];
    const isKnown = members.every((member) => {
      const counted = member.seconds[range];
      if (counted === undefined) return false;
      up += counted.up;
      down += counted.down;
      if (counted.down > 0) most = Math.max(most, counted.down / (counted.up + counted.down));
      return true;
    });
    if (!isKnown) continue;
    seconds[range] = { up, down };
    if (up + down > 0) worst[range] = most;
  }
  const budget = errorBudget(seconds, objective, members.length);
  const shown = Object.entries(worst).filter(([range]) => range in budget.errorRatios);
  return {
    name,
    statuses,
    budget,
    worst: Object.fromEntries(shown),
    outagesOpen,
    checkIds,
    unknownIds,
  };
}

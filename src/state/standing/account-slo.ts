import { type Check, type CheckStatus, isTested, shownStatus } from '../../domain/check.ts';
import type { TalliedState, TimeRange } from '../../domain/interval.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { type ErrorBudget, errorBudget, hasNoRatio } from '../../slo/error-budget.ts';
import type { SloPolicy } from '../../slo/groups.ts';
import type { Objective, ObjectiveSubject } from '../../slo/objectives.ts';
import {
  type CountedSeconds,
  errorRanges,
  rangeEnd,
  rangeLengths,
  type SecondsByRange,
  secondsByRange,
  type Testing,
} from '../../slo/range-seconds.ts';
import type { KnownStates } from '../../slo/state-log.ts';
import type { Policies } from './policies.ts';

/** The data of a check or transaction from which its ranges are computed. */
export interface SloEntry extends ObjectiveSubject, Testing {
  readonly createdAtSeconds?: number | undefined;
}

export interface ObjectiveEvents {
  /** A tag looks like an objective but is not a valid ratio. */
  tagIgnored(tag: string): void;
}

/** The seconds of an item by range, and its error budget. */
interface Ranges {
  readonly seconds: SecondsByRange;
  readonly budget: ErrorBudget;
}

/** What a policy has chosen for an item by its name and its tags. */
export interface SloChoice {
  readonly policy: SloPolicy;
  readonly objective: Objective;
  readonly groups: readonly string[];
}

/** The places at an item. */
export interface SloItem {
  /** Undefined before the first choice, and after a change of the name or the tags. */
  sloChoice: SloChoice | undefined;
  isGrowing: boolean;
}

const longest = rangeLengths['30d'];

/** The error budgets of checks or transactions. */
export class AccountSlo {
  readonly #policies: Policies;
  readonly #events: ObjectiveEvents;
  readonly #flawless = new Map<Objective, ErrorBudget>();
  /** Budgets without a ratio, which items have until their past is read. */
  readonly #unknown = new Map<Objective, ErrorBudget>();
  /** Items with equal groups share the choice of their objective, because there are many. */
  readonly #choices = new Map<Objective, Map<string, SloChoice>>();
  #policy: SloPolicy;
  #nowSeconds = 0;

  constructor(policies: Policies, events: ObjectiveEvents) {
    this.#policies = policies;
    this.#policy = policies.slo;
    this.#events = events;
  }

  /** Sets the latest end of ranges (UNIX seconds). Returns whether the ranges of all items move. */
  moveTo(nowSeconds: number): boolean {
    const isBack = nowSeconds < this.#nowSeconds;
    this.#nowSeconds = nowSeconds;
    return isBack;
  }

  get policy(): SloPolicy {
    return this.#policy;
  }

  /** Applies the policy if it has changed. Returns true if so. */
  applyPolicy(): boolean {
    const policy = this.#policies.slo;
    if (policy === this.#policy) return false;
    this.#policy = policy;
    this.#flawless.clear();
    this.#unknown.clear();
    this.#choices.clear();
    return true;
  }

  /** Seconds up and down by range, and the budget. Items that were always up share their objects. */
  rangesOf(
    item: SloItem,
    entry: SloEntry,
    totals: KnownStates,
    occurrences: readonly TimeRange[],
  ): Ranges {
    const { createdAtSeconds = 0 } = entry;
    const { objective, groups } = this.#choose(item, entry);
    const endSeconds = rangeEnd(totals, entry, this.#nowSeconds);
    const wasUp = isFlawless(totals, occurrences) && endSeconds > createdAtSeconds;
    if (wasUp && createdAtSeconds <= endSeconds - longest) {
      item.isGrowing = false;
      return { seconds: alwaysUp, budget: this.#flawlessBudget(objective) };
    }
    // The budget of an item that was always up does not change; only its groups count its seconds.
    const isCounted = !wasUp || groups.length > 0;
    item.isGrowing = isCounted && endSeconds < rangeEnd(totals, entry, Number.POSITIVE_INFINITY);
    const seconds = secondsByRange(totals, { createdAtSeconds, occurrences }, endSeconds);
    return { seconds, budget: this.#budgetOf(seconds, objective, wasUp) };
  }

  /** The names of the configured groups that an item belongs to. */
  groupsOf(item: SloItem, subject: ObjectiveSubject): readonly string[] {
    return this.#choose(item, subject).groups;
  }

  #choose(item: SloItem, { id, name, tags }: ObjectiveSubject): SloChoice {
    const policy = this.#policy;
    if (item.sloChoice?.policy === policy) return item.sloChoice;
    const subject = { id, name, tags };
    const { objectives, groups } = policy;
    const objective = objectives.of(subject, (tag) => this.#events.tagIgnored(tag));
    const names = groups.isEmpty ? none : groups.of(subject);
    const ofObjective = getOrMake(this.#choices, objective, () => new Map<string, SloChoice>());
    const choice = { policy, objective, groups: names };
    item.sloChoice = getOrMake(ofObjective, names.join('\0'), () => choice);
    return item.sloChoice;
  }

  #budgetOf(seconds: SecondsByRange, objective: Objective, wasUp: boolean): ErrorBudget {
    if (wasUp) return this.#flawlessBudget(objective);
    if (!hasNoRatio(seconds)) return errorBudget(seconds, objective);
    return getOrMake(this.#unknown, objective, () => errorBudget({}, objective));
  }

  #flawlessBudget(objective: Objective): ErrorBudget {
    return getOrMake(this.#flawless, objective, () => errorBudget(alwaysUp, objective));
  }
}

/** Whether the item was always up without maintenance, with a last state other than `down`. */
function isFlawless({ states, log }: KnownStates, occurrences: readonly TimeRange[]): boolean {
  return log === undefined && states.state !== 'down' && occurrences.length === 0;
}

const none: readonly string[] = [];

/** The seconds of a check that was up for 30 days. */
const alwaysUp: SecondsByRange = Object.fromEntries(
  errorRanges.map((range): [string, CountedSeconds] => [
    range,
    { up: rangeLengths[range], down: 0 },
  ]),
);

export type SloCheck = SloEntry & { readonly status: CheckStatus };

export function sloCheck(check: Check): SloCheck {
  const { id, name, tags, status, createdAtSeconds, resolutionSeconds } = check;
  return {
    id,
    name,
    tags,
    status: shownStatus(status),
    createdAtSeconds,
    resolutionSeconds,
    isTested: isTested(status),
  };
}

/**
 * A transaction as an item with ranges. The state at the horizon lasts until the next run is due,
 * unless the list shows another state. That is possible, because a report does not include the
 * state of the last run.
 */
export function sloTransaction(transaction: Transaction, stateAtHorizon: TalliedState): SloEntry {
  const { id, name, tags, status, active, createdAtSeconds, intervalSeconds } = transaction;
  const listed = ({ successful: 'up', failing: 'down', unknown: 'unknown' } as const)[status];
  const isTested = active !== false && status !== 'unknown' && listed === stateAtHorizon;
  return { id, name, tags, createdAtSeconds, resolutionSeconds: intervalSeconds, isTested };
}

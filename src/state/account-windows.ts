import type { Check } from '../domain/check.ts';
import type { TalliedState } from '../domain/totals.ts';
import type { Transaction } from '../domain/transaction.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import type { OccurrenceSpan } from '../tally/maintenance-tally.ts';
import { type ErrorBudget, errorBudget } from '../windows/error-budget.ts';
import { type GroupMember, type GroupRow, groupRow, type SloPolicy } from '../windows/groups.ts';
import type { Objective, ObjectiveSubject } from '../windows/objectives.ts';
import type { KnownStates } from '../windows/state-history.ts';
import {
  type CountedSeconds,
  errorWindows,
  type SecondsByWindow,
  secondsByWindow,
  type Testing,
  windowEnd,
  windowLengths,
} from '../windows/window-seconds.ts';

/** A check or a transaction as its windows see it. */
export interface WindowedEntry extends ObjectiveSubject, Testing {
  readonly createdAtSeconds?: number | undefined;
}

interface Computed {
  readonly states: KnownStates['states'];
  readonly history: KnownStates['history'];
  readonly endSeconds: number;
  readonly createdAtSeconds: number | undefined;
  readonly occurrences: readonly OccurrenceSpan[];
  readonly objective: Objective;
  readonly seconds: SecondsByWindow;
  readonly budget: ErrorBudget;
}

interface Chosen {
  readonly name: string;
  readonly tags: ObjectiveSubject['tags'];
  readonly objective: Objective;
  readonly groups: readonly string[];
}

const longest = windowLengths['30d'];

/** How the checks, or the transactions, of an account stand against their objectives. What did not change keeps its object. */
export class AccountWindows {
  readonly #slo: () => SloPolicy;
  readonly #onSenselessTag: (tag: string) => void;
  readonly #computed = new Map<number, Computed>();
  readonly #chosen = new Map<number, Chosen>();
  readonly #flawless = new Map<Objective, ErrorBudget>();
  #policy: SloPolicy;
  #nowSeconds = 0;

  constructor(slo: () => SloPolicy, onSenselessTag: (tag: string) => void = () => {}) {
    this.#slo = slo;
    this.#policy = slo();
    this.#onSenselessTag = onSenselessTag;
  }

  /** UNIX seconds; windows end no later. */
  moveTo(nowSeconds: number): void {
    this.#nowSeconds = nowSeconds;
  }

  /** Takes another policy into use; whether there is one. */
  adoptPolicy(): boolean {
    const policy = this.#slo();
    if (policy === this.#policy) return false;
    this.#policy = policy;
    this.#chosen.clear();
    this.#flawless.clear();
    return true;
  }

  forget(id: number): void {
    this.#computed.delete(id);
    this.#chosen.delete(id);
  }

  /** One that was never down, and is known to have been up, costs nothing. */
  budgetOf(
    entry: WindowedEntry,
    totals: KnownStates,
    occurrences: readonly OccurrenceSpan[],
  ): ErrorBudget {
    const { objective } = this.#choose(entry);
    if (totals.history === undefined && occurrences.length === 0) {
      const end = windowEnd(totals, entry, this.#nowSeconds);
      if (end > (entry.createdAtSeconds ?? 0)) return this.#flawlessBudget(objective);
    }
    return this.#compute(entry, totals, occurrences, objective).budget;
  }

  /** The groups of the configuration that have checks, at most as many as it allows, and how many there are beyond. */
  groupsOf(
    checks: Iterable<{
      readonly entry: WindowedEntry & Pick<Check, 'status'>;
      readonly totals: KnownStates;
      readonly occurrences: readonly OccurrenceSpan[];
    }>,
  ): { readonly rows: readonly GroupRow[]; readonly dropped: number } {
    const { groups, objectives } = this.#policy;
    if (groups.isEmpty) return noGroups;
    const members = new Map<string, GroupMember[]>();
    const dropped = new Set<string>();
    for (const { entry, totals, occurrences } of checks) {
      const chosen = this.#choose(entry);
      if (chosen.groups.length === 0) continue;
      const seconds = this.#secondsOf(entry, totals, occurrences, chosen.objective);
      for (const name of chosen.groups) {
        const known = members.get(name);
        if (known !== undefined) known.push({ status: entry.status, seconds });
        else if (members.size < groups.maxGroups) {
          members.set(name, [{ status: entry.status, seconds }]);
        } else dropped.add(name);
      }
    }
    const rows = [...members]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, ofGroup]) => groupRow(name, ofGroup, objectives.ofGroup(name)));
    return { rows, dropped: dropped.size };
  }

  #choose({ id, name, tags }: ObjectiveSubject): Chosen {
    const known = this.#chosen.get(id);
    if (known !== undefined && known.name === name && known.tags === tags) return known;
    const subject = { id, name, tags };
    const { objectives, groups } = this.#policy;
    const objective = objectives.of(subject, this.#onSenselessTag);
    const chosen = { name, tags, objective, groups: groups.isEmpty ? none : groups.of(subject) };
    this.#chosen.set(id, chosen);
    return chosen;
  }

  #flawlessBudget(objective: Objective): ErrorBudget {
    const known = this.#flawless.get(objective);
    if (known !== undefined) return known;
    const budget = errorBudget(alwaysUp, objective);
    this.#flawless.set(objective, budget);
    return budget;
  }

  #secondsOf(
    entry: WindowedEntry,
    totals: KnownStates,
    occurrences: readonly OccurrenceSpan[],
    objective: Objective,
  ): SecondsByWindow {
    const { createdAtSeconds = 0 } = entry;
    const isOld = createdAtSeconds <= windowEnd(totals, entry, this.#nowSeconds) - longest;
    const wasUp = totals.history === undefined && occurrences.length === 0;
    if (wasUp && isOld) return alwaysUp;
    return this.#compute(entry, totals, occurrences, objective).seconds;
  }

  #compute(
    entry: WindowedEntry,
    { states, history }: KnownStates,
    occurrences: readonly OccurrenceSpan[],
    objective: Objective,
  ): Computed {
    const { id, createdAtSeconds } = entry;
    const totals = history === undefined ? { states } : { states, history };
    const endSeconds = windowEnd(totals, entry, this.#nowSeconds);
    const before = this.#computed.get(id);
    const isSame =
      before !== undefined &&
      before.states === states &&
      before.history === history &&
      before.endSeconds === endSeconds &&
      before.createdAtSeconds === createdAtSeconds &&
      before.occurrences === occurrences;
    if (isSame && before.objective === objective) return before;
    const item = { ...totals, createdAtSeconds, occurrences };
    const seconds = isSame ? before.seconds : secondsByWindow(item, endSeconds);
    const next = errorBudget(seconds, objective);
    const budget = before !== undefined && plainEqual(before.budget, next) ? before.budget : next;
    const computed = {
      ...{ states, history, endSeconds, createdAtSeconds },
      ...{ occurrences, objective, seconds, budget },
    };
    this.#computed.set(id, computed);
    return computed;
  }
}

const none: readonly string[] = [];
const noGroups = { rows: [], dropped: 0 };

/** Of a check that was up for 30 days. */
const alwaysUp: SecondsByWindow = Object.fromEntries(
  errorWindows.map((window): [string, CountedSeconds] => [
    window,
    { up: windowLengths[window], down: 0 },
  ]),
);

export function windowedCheck(check: Check): WindowedEntry & Pick<Check, 'status'> {
  const { id, name, tags, status, createdAtSeconds, resolutionSeconds } = check;
  const isTested = status !== 'paused' && status !== 'unknown';
  return { id, name, tags, status, createdAtSeconds, resolutionSeconds, isTested };
}

/**
 * The state at the horizon holds until the next run is due, unless the list knows a later run that went
 * otherwise: a report ends with the last run, and tells its outcome only with the next one.
 */
export function windowedTransaction(
  transaction: Transaction,
  stateAtHorizon: TalliedState,
): WindowedEntry {
  const { id, name, tags, status, active, createdAtSeconds, intervalSeconds } = transaction;
  const listed = ({ successful: 'up', failing: 'down', unknown: 'unknown' } as const)[status];
  const isTested = active !== false && status !== 'unknown' && listed === stateAtHorizon;
  return { id, name, tags, createdAtSeconds, resolutionSeconds: intervalSeconds, isTested };
}

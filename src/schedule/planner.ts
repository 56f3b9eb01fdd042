import { type BudgetView, ownPart } from '../budget/budget-view.ts';
import type { DatasetName } from '../domain/dataset.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import type { Agenda } from './agenda.ts';
import { type DatasetChoices, type DemandSize, demandsOf, type PlannedDataset } from './demand.ts';
import { eventAllowance } from './event-allowance.ts';
import { lastingRate } from './lasting-rate.ts';
import { type Plan, plan } from './plan.ts';

/** No new plan is made while rates change by less than this share. */
const rateTolerance = 0.02;
/** A change of an interval by more than this factor is reported. */
const materialFactor = 1.5;
/** A plan that differs is reported after this time: a guess of the budget soon ends. */
const reportedAfterMilliseconds = 60_000;

export interface PlannerEvents {
  planned(plan: Plan): void;
  /** The plan has differed much from the last reported one for a minute; or it is the first. */
  planChanged(plan: Plan): void;
}

interface PlannerOptions {
  readonly agenda: Agenda;
  /** The datasets that have a refresh. */
  readonly datasets: ReadonlySet<DatasetName>;
  readonly choices?: DatasetChoices;
  readonly events: PlannerEvents;
}

/** Makes and applies a new plan when the budget or the account's size changes. */
export class Planner {
  readonly #options: PlannerOptions;
  #rate = Number.NaN;
  #eventRate = 0;
  #size: DemandSize | undefined;
  #current: Plan | undefined;
  #lastReported: Plan | undefined;
  /** When the plan began to differ from the last reported one, in monotonic milliseconds. */
  #differsSince: number | undefined;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  get current(): Plan | undefined {
    return this.#current;
  }

  /** Returns whether the plan changed. */
  update(whole: BudgetView, size: DemandSize, now: number): boolean {
    const budget = ownPart(whole);
    const { agenda, events } = this.#options;
    // While nothing can be spent, the last rate stays in use, so that a changed account is planned.
    const isUsedUp = budget.requestsPerSecond === 0 && this.#current !== undefined;
    const rate = isUsedUp ? this.#rate : budget.requestsPerSecond;
    const eventRate = agenda.eventRate(now);
    if (!this.#changed(rate, eventRate, size)) {
      this.#reportIfLasting(now);
      return false;
    }
    const next = this.#plan({ ...budget, requestsPerSecond: rate }, size, eventRate);
    agenda.applyPlan(next, eventAllowance(rate, budget.windows), now);
    this.#rate = rate;
    this.#eventRate = eventRate;
    this.#size = size;
    this.#current = next;
    events.planned(next);
    if (budget.mode !== 'learning') this.#compare(next, now);
    return true;
  }

  #compare(next: Plan, now: number): void {
    if (this.#lastReported === undefined) this.#report(next);
    else if (differs(this.#lastReported, next)) this.#differsSince ??= now;
    else this.#differsSince = undefined;
    this.#reportIfLasting(now);
  }

  #reportIfLasting(now: number): void {
    if (this.#current === undefined || this.#differsSince === undefined) return;
    if (now - this.#differsSince >= reportedAfterMilliseconds) this.#report(this.#current);
  }

  #report(plan: Plan): void {
    this.#lastReported = plan;
    this.#differsSince = undefined;
    this.#options.events.planChanged(plan);
  }

  /** Computes the plan for an account of another size, without applying it. */
  planFor(budget: BudgetView, size: DemandSize): Plan {
    return this.#plan(ownPart(budget), size, this.#eventRate);
  }

  #plan(budget: BudgetView, size: DemandSize, eventRate: number): Plan {
    const { datasets, choices } = this.#options;
    const demands = demandsOf(size, choices).filter(({ name }) => datasets.has(name));
    const rate = budget.requestsPerSecond;
    return plan({ rate, eventRate, lastingRate: lastingRate(budget), demands });
  }

  #changed(rate: number, eventRate: number, size: DemandSize): boolean {
    const tolerance = this.#rate * rateTolerance;
    const steady =
      Math.abs(rate - this.#rate) <= tolerance &&
      Math.abs(eventRate - this.#eventRate) <= tolerance;
    return !steady || !plainEqual(size, this.#size);
  }
}

/** Datasets that are read once change with every item that was read, which is no news. */
function standingDatasets({ datasets }: Plan): readonly PlannedDataset[] {
  return datasets.filter(({ isOnce }) => isOnce !== true);
}

function differs(former: Plan, next: Plan): boolean {
  const [before, after] = [standingDatasets(former), standingDatasets(next)];
  const intervals = new Map(before.map(({ name, ...rest }) => [name, rest]));
  return (
    before.length !== after.length ||
    after.some(({ name, intervalSeconds, overCeiling }) => {
      const before = intervals.get(name);
      if (before === undefined || before.overCeiling !== overCeiling) return true;
      const ratio = intervalSeconds / before.intervalSeconds;
      return ratio > materialFactor || ratio < 1 / materialFactor;
    })
  );
}

import { Budget } from '../../src/budget/budget.ts';
import type { BudgetNote } from '../../src/budget/budget-note.ts';
import { type DatasetName, datasetPolicies } from '../../src/domain/dataset.ts';
import type { Random } from '../../src/lib/random.ts';
import { Agenda, type AgendaTask } from '../../src/schedule/agenda.ts';
import type { DatasetChoices, DemandSize } from '../../src/schedule/demand.ts';
import type { Plan } from '../../src/schedule/plan.ts';
import { Planner } from '../../src/schedule/planner.ts';
import type { Ages } from './ages.ts';
import type { EventQueue } from './event-queue.ts';
import type { HandClock } from './hand-clock.ts';
import { exponential } from './noise.ts';
import type { SimulatedAccount } from './simulated-account.ts';

const concurrency = 4;

export interface SimulatedExporterOptions {
  readonly clock: HandClock;
  readonly queue: EventQueue;
  readonly random: Random;
  readonly account: SimulatedAccount;
  readonly ages: Ages;
  readonly size: DemandSize;
  readonly choices: DatasetChoices;
  /** Requests per refresh of each enabled dataset. */
  readonly costs: ReadonlyMap<DatasetName, number>;
  readonly onPlan: (plan: Plan) => void;
  readonly onSent: (task: AgendaTask) => void;
  /** Called when an outage that began at `since` is shown. */
  readonly onOutageShown: (since: number) => void;
}

/** One process of the exporter: the real budget, plan and agenda, and a poller without bodies. */
export class SimulatedExporter {
  readonly #options: SimulatedExporterOptions;
  readonly budget: Budget;
  readonly #agenda: Agenda;
  readonly #planner: Planner;
  #running = 0;
  #alive = true;
  #reconciled = false;
  #isProbe = false;
  /** Requests that were sent despite the reserve. */
  probes = 0;

  constructor(options: SimulatedExporterOptions) {
    this.#options = options;
    const { clock, random, costs, choices, onPlan } = options;
    const datasets = new Set(costs.keys());
    const budgetNoted = ({ kind }: BudgetNote) => {
      this.#isProbe ||= kind === 'probe';
    };
    this.budget = new Budget({ clock, random, events: { budgetNoted } });
    const items = { slotOf: (id: number) => ({ slot: id, generation: 1 }) };
    this.#agenda = new Agenda(random, { checks: items, transactions: items });
    this.#planner = new Planner({
      agenda: this.#agenda,
      datasets,
      choices,
      events: { planned: onPlan, planChanged: () => {} },
    });
  }

  /** A crash: the exporter ignores all later responses. */
  kill(): void {
    this.#alive = false;
  }

  /**
   * Runs all due work. Returns the milliseconds until more is due, provided that no response
   * arrives before.
   */
  turn(): number {
    const { clock } = this.#options;
    const now = clock.monotonic();
    this.#plan(now);
    while (this.#running < concurrency && this.budget.msUntilAdmission() <= 0) {
      const task = this.#agenda.next(now);
      if (task === undefined) break;
      this.#start(task, now);
    }
    if (this.#running >= concurrency) return Number.POSITIVE_INFINITY;
    return Math.max(this.#agenda.nextDueIn(now), this.budget.msUntilAdmission());
  }

  #plan(now: number): void {
    const { size } = this.#options;
    this.#planner.update(this.budget.view(), size, now);
    if (this.#reconciled) return;
    this.#reconciled = true;
    for (const dataset of this.#options.costs.keys()) {
      this.#agenda.reconcile(dataset, this.#known(dataset, now), now);
    }
  }

  *#known(dataset: DatasetName, now: number) {
    const { ages, size } = this.#options;
    const items = { account: 1, check: size.checks, transaction: size.transactions };
    for (let id = 0; id < items[datasetPolicies[dataset].scope]; id++) {
      const ageSeconds = ages.ageSeconds(dataset, id, now);
      yield ageSeconds === undefined ? { id } : { id, ageSeconds };
    }
  }

  #start(task: AgendaTask, startedAt: number): void {
    this.#running += 1;
    this.#send(task, startedAt, this.#options.costs.get(task.dataset) ?? 1);
  }

  /**
   * The requests of a refresh run one after the other. If the budget stops them, the refresh is
   * tried again.
   */
  #send(task: AgendaTask, startedAt: number, left: number): void {
    const { clock, queue, random, account, onSent } = this.#options;
    this.#isProbe = false;
    const permit = this.budget.admit();
    const isProbe = this.#isProbe;
    if (isProbe) this.probes += 1;
    if (permit === undefined) {
      const wait = Math.max(1000, this.budget.msUntilAdmission());
      this.#agenda.postponed(task, clock.monotonic() + Math.min(wait, 3_600_000));
      this.#running -= 1;
      return;
    }
    onSent(task);
    const { told } = account;
    const arrival = clock.monotonic() + 20 + exponential(50, random);
    queue.at(arrival, () => {
      const outcome = account.request(arrival, told, isProbe);
      const { others } = account;
      const changes = task.dataset === 'checks' ? account.changesUpTo(arrival) : [];
      queue.at(arrival + 100 + exponential(200, random), () => {
        if (!this.#alive) return;
        permit.release(outcome);
        account.heard(others);
        if (outcome.statusCode !== 200) this.#failed(task);
        else if (left > 1) this.#send(task, startedAt, left - 1);
        else this.#succeeded(task, startedAt, changes);
      });
    });
  }

  #failed(task: AgendaTask): void {
    this.#running -= 1;
    this.#agenda.failed(task, 'transient', this.#options.clock.monotonic());
  }

  #succeeded(
    task: AgendaTask,
    startedAt: number,
    changes: ReturnType<SimulatedAccount['changesUpTo']>,
  ): void {
    const { clock, ages, onOutageShown } = this.#options;
    const now = clock.monotonic();
    this.#running -= 1;
    this.#agenda.succeeded(task, startedAt);
    ages.refreshed(task.dataset, task.id === 'account' ? 0 : task.id, now);
    for (const { check, down, since } of changes) {
      if (down) onOutageShown(since);
      this.#agenda.expedite({ dataset: 'outages', id: check }, now);
      if (down) continue;
      this.#agenda.expedite({ dataset: 'results', id: check }, now);
      this.#agenda.expedite({ dataset: 'analyses', id: check }, now);
    }
  }
}

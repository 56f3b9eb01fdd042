import type { DatasetName } from '../../src/domain/dataset.ts';
import type { WindowName } from '../../src/domain/rate-limit.ts';
import { type DatasetChoices, type DemandSize, demandsOf } from '../../src/schedule/demand.ts';
import { type Plan, plan } from '../../src/schedule/plan.ts';
import { type AgeSummary, Ages } from './ages.ts';
import { EventQueue } from './event-queue.ts';
import { HandClock } from './hand-clock.ts';
import { type NaiveResult, naivePolicies, runNaive } from './naive.ts';
import { exponential, seededRandom } from './noise.ts';
import { quantile } from './quantile.ts';
import { type AccountLimits, windowMilliseconds } from './service-limits.ts';
import { SimulatedAccount } from './simulated-account.ts';
import { SimulatedExporter } from './simulated-exporter.ts';

const day = 86_400_000;
const until = windowMilliseconds.long;
const othersShare = 0.1;
const sampleEvery = 3_600_000;

export interface DatasetResult extends AgeSummary {
  readonly dataset: DatasetName;
  readonly requests: number;
  /** Half the planned interval, averaged over time. */
  readonly plannedMeanSeconds: number;
  /**
   * Half the interval of the best plan for all requests that the account could send during the run.
   */
  readonly optimalMeanSeconds: number;
}

export interface RunResult {
  readonly checks: number;
  readonly transactions: number;
  readonly limits: AccountLimits;
  /** Disabled, because the plan reports that the budget is too small for them. */
  readonly switchedOff: readonly DatasetName[];
  readonly requests: number;
  readonly otherRequests: number;
  readonly eventRequests: number;
  readonly refused: number;
  /**
   * The smallest distance of a window from its reserve after a request of the exporter, without the
   * requests that others sent since the exporter's latest response.
   */
  readonly margin: number;
  readonly windows: {
    readonly [W in WindowName]: { readonly lowest: number; readonly reserve: number };
  };
  readonly datasets: readonly DatasetResult[];
  /** Weighted mean age of all data except status, divided by the optimum. */
  readonly ageAgainstOptimum: number;
  readonly outages: {
    readonly shown: number;
    readonly medianSeconds: number;
    readonly p99Seconds: number;
    readonly listIntervalSeconds: number;
  };
  readonly naive: readonly NaiveResult[];
  readonly cpuSeconds: number;
}

/**
 * Runs an account of this size with this budget for 30 days, with another client, incidents and one
 * restart a day.
 */
export function runAccount(checks: number, limits: AccountLimits): RunResult {
  const cpu = process.cpuUsage();
  const random = seededRandom(checks * 31 + limits.short);
  const size: DemandSize = {
    version: '3.1',
    checks,
    transactions: checks / 10,
    shortestTransactionSeconds: 600,
  };
  const othersEvery = until / (limits.long * othersShare);
  const choices = affordable(size, limits);
  const demands = demandsOf(size, choices);
  const [clock, queue, ages, planned] = [
    new HandClock(),
    new EventQueue(),
    new Ages(random),
    new PlanLog(),
  ];
  const account = new SimulatedAccount({ checks, limits, until, othersEvery, queue, random });
  const sent = new Map<DatasetName, number>();
  const delays: number[] = [];
  let eventRequests = 0;
  const options = {
    clock,
    queue,
    random,
    account,
    ages,
    size,
    choices,
    costs: new Map(demands.map(({ name, cost }) => [name, cost])),
    onPlan: (next: Plan) => planned.add(next, clock.monotonic()),
    onSent: ({ dataset, reason }: { dataset: DatasetName; reason: string }) => {
      sent.set(dataset, (sent.get(dataset) ?? 0) + 1);
      if (reason === 'event') eventRequests += 1;
    },
    onOutageShown: (since: number) => delays.push((clock.monotonic() - since) / 1000),
  };
  let exporter = new SimulatedExporter(options);
  let up = true;
  for (let start = day * random(); start < until; start += day) {
    queue.at(start, () => {
      const stored = JSON.stringify(exporter.budget.snapshot());
      exporter.kill();
      up = false;
      const downSeconds = 5 + 115 * random();
      queue.at(clock.monotonic() + downSeconds * 1000, () => {
        exporter = new SimulatedExporter(options);
        exporter.budget.restore(JSON.parse(stored), downSeconds);
        up = true;
      });
    });
  }
  for (let at = sampleEvery; at < until; at += exponential(sampleEvery, random)) {
    queue.at(at, () => ages.sample(at));
  }
  while (clock.monotonic() < until) {
    const idle = up ? exporter.turn() : Number.POSITIVE_INFINITY;
    const wakeAt = clock.monotonic() + Math.max(1, idle);
    clock.moveTo(Math.min(wakeAt, queue.nextAt, until));
    if (queue.nextAt <= clock.monotonic()) queue.runNext();
  }
  const optimum = plan({
    rate: sustained(limits, account.others),
    eventRate: (eventRequests * 1000) / until,
    demands,
  });
  const datasets = demands.flatMap(({ name }): DatasetResult[] => {
    const summary = ages.summary(name, until);
    if (summary === undefined) return [];
    const best = optimum.datasets.find((dataset) => dataset.name === name);
    return [
      {
        dataset: name,
        ...summary,
        requests: sent.get(name) ?? 0,
        plannedMeanSeconds: planned.meanInterval(name, until) / 2,
        optimalMeanSeconds: (best?.intervalSeconds ?? 0) / 2,
      },
    ];
  });
  const { user, system } = process.cpuUsage(cpu);
  return {
    checks,
    transactions: size.transactions,
    limits,
    switchedOff: demandsOf(size)
      .map(({ name }) => name)
      .filter((name) => choices[name]?.enabled === false),
    requests: [...sent.values()].reduce((sum, requests) => sum + requests, 0),
    otherRequests: account.others,
    eventRequests,
    refused: account.refused,
    margin: account.margin,
    windows: {
      short: { lowest: account.lowest.short, reserve: Math.ceil(limits.short / 5) },
      long: { lowest: account.lowest.long, reserve: Math.ceil(limits.long / 5) },
    },
    datasets,
    ageAgainstOptimum: againstOptimum(datasets, demands),
    outages: {
      shown: delays.length,
      medianSeconds: quantile(delays, 0.5) ?? 0,
      p99Seconds: quantile(delays, 0.99) ?? 0,
      listIntervalSeconds: planned.meanInterval('checks', until),
    },
    naive: naivePolicies(checks).map((policy) => runNaive(policy, limits, othersEvery, random)),
    cpuSeconds: (user + system) / 1e6,
  };
}

/** Requests per second that the other client and the reserve leave to the exporter. */
function sustained({ short, long }: AccountLimits, others: number): number {
  const otherRate = (others * 1000) / until;
  return Math.min((short * 0.8) / 3600, (long * 0.8 * 1000) / until) - otherRate;
}

/** The operator follows the plan and disables the datasets for which the budget is too small. */
function affordable(size: DemandSize, limits: AccountLimits): DatasetChoices {
  const rate = sustained(limits, limits.long * othersShare);
  const { shortfall } = plan({ rate, demands: demandsOf(size) });
  return Object.fromEntries((shortfall?.switchOff ?? []).map((name) => [name, { enabled: false }]));
}

function againstOptimum(
  results: readonly DatasetResult[],
  demands: ReturnType<typeof demandsOf>,
): number {
  let [actual, optimal] = [0, 0];
  for (const { dataset, items, meanSeconds, optimalMeanSeconds } of results) {
    const demand = demands.find(({ name }) => name === dataset);
    if (demand === undefined || demand.isStatus) continue;
    actual += items * demand.weight * meanSeconds;
    optimal += items * demand.weight * optimalMeanSeconds;
  }
  return actual / optimal;
}

/** How long each interval was planned. */
class PlanLog {
  readonly #areas = new Map<DatasetName, number>();
  readonly #spans = new Map<DatasetName, number>();
  #current: Plan | undefined;
  #since = 0;

  add(next: Plan, now: number): void {
    this.#close(now);
    this.#current = next;
  }

  meanInterval(dataset: DatasetName, now: number): number {
    this.#close(now);
    return (this.#areas.get(dataset) ?? 0) / Math.max(1, this.#spans.get(dataset) ?? 0);
  }

  #close(now: number): void {
    const span = now - this.#since;
    for (const { name, intervalSeconds } of this.#current?.datasets ?? []) {
      this.#areas.set(name, (this.#areas.get(name) ?? 0) + intervalSeconds * span);
      this.#spans.set(name, (this.#spans.get(name) ?? 0) + span);
    }
    this.#since = now;
  }
}

import type { DatasetName } from '../domain/dataset.ts';
import type { Demand, PlannedDataset } from './demand.ts';
import { eventRateShare } from './event-allowance.ts';
import { type Shortfall, shortfallOf } from './shortfall.ts';
import { squareRootRule } from './square-root-rule.ts';

/** The status datasets are planned first, and get at most this share of the rate. */
const statusShare = 0.75;

export interface PlanInput {
  /** Requests per second that the budget sustains. */
  readonly rate: number;
  /** Recent requests per second for events. A burst counts only up to their sustained share. */
  readonly eventRate?: number;
  readonly demands: readonly Demand[];
}

export interface Plan {
  readonly datasets: readonly PlannedDataset[];
  readonly requestsPerSecond: number;
  /** Rate left by the plan and by events; 0 when the budget is too small. */
  readonly spareRequestsPerSecond: number;
  /** Requests per second with every dataset at its floor. */
  readonly demandPerSecond: number;
  /** Absent when every dataset keeps its ceiling. */
  readonly shortfall?: Shortfall;
}

/**
 * Computes how often each dataset is refreshed. The status datasets come first, with at most three quarters
 * of the rate; the others share the rest. Where that does not suffice for their floors, the square-root rule
 * divides it. A pure function: equal input, equal plan.
 */
export function plan(input: PlanInput): Plan {
  const datasets = planIntervals(input);
  const shortfall = shortfallOf(datasets, input.demands, (demands) =>
    planIntervals({ ...input, demands }),
  );
  const requestsPerSecond = datasets.reduce((sum, dataset) => sum + dataset.requestsPerSecond, 0);
  return {
    datasets,
    requestsPerSecond,
    spareRequestsPerSecond: Math.max(0, input.rate - eventShare(input) - requestsPerSecond),
    demandPerSecond: input.demands.reduce((sum, demand) => sum + atFloor(demand), 0),
    ...(shortfall && { shortfall }),
  };
}

function planIntervals(input: PlanInput): PlannedDataset[] {
  const { rate, demands } = input;
  const status = demands.filter((demand) => demand.status);
  const others = demands.filter((demand) => !demand.status);
  const statusDemand = status.reduce((sum, demand) => sum + atFloor(demand), 0);
  const statusRate = Math.min(statusDemand, rate * statusShare);
  const left = rate - statusRate - eventShare(input);
  const shares = [
    [status, squareRootRule(status, statusRate)],
    [others, squareRootRule(others, left)],
  ] as const;
  const seconds = new Map<string, number>(
    shares.flatMap(([group, intervals]) =>
      group.map(({ name }, index) => [name, intervals[index] ?? 0] as const),
    ),
  );
  return demands.map((demand) => plannedDataset(demand, seconds.get(demand.name) ?? 0));
}

function eventShare({ rate, eventRate = 0 }: PlanInput): number {
  return Math.min(eventRate, rate * eventRateShare);
}

function plannedDataset(demand: Demand, intervalSeconds: number): PlannedDataset {
  const { name, items, cost, status, ceilingSeconds } = demand;
  const requestsPerSecond = (items * cost) / intervalSeconds;
  const overCeiling = intervalSeconds > ceilingSeconds;
  return {
    name,
    items,
    cost,
    status,
    intervalSeconds,
    requestsPerSecond,
    overCeiling,
    missingPerHour: overCeiling ? ((items * cost) / ceilingSeconds - requestsPerSecond) * 3600 : 0,
  };
}

function atFloor({ items, cost, floorSeconds }: Demand): number {
  return (items * cost) / floorSeconds;
}

/** The planned interval of each dataset, in seconds. */
export function intervalsOf({ datasets }: Plan): ReadonlyMap<DatasetName, number> {
  return new Map(datasets.map(({ name, intervalSeconds }) => [name, intervalSeconds]));
}

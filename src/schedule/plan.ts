import type { DatasetName } from '../domain/dataset.ts';
import type { Demand, PlannedDataset } from './demand.ts';
import { eventRateShare } from './event-allowance.ts';
import { type Shortfall, shortfallOf } from './shortfall.ts';
import { squareRootRule } from './square-root-rule.ts';

/** The status datasets are planned first, as long as they take no more than this share of the rate. */
const statusShare = 0.75;

export interface PlanInput {
  /** Requests per second that the budget sustains. */
  readonly rate: number;
  /** Requests per second of it that events took of late; of a rush only what they may take for good counts. */
  readonly eventRate?: number;
  readonly demands: readonly Demand[];
}

export interface Plan {
  readonly datasets: readonly PlannedDataset[];
  readonly requestsPerSecond: number;
  /** What the budget sustains beyond that and what events took of late; 0 when it does not suffice. */
  readonly spareRequestsPerSecond: number;
  /** What every dataset would take at its floor, in requests per second. */
  readonly demandPerSecond: number;
  /** Absent when every dataset keeps its ceiling. */
  readonly shortfall?: Shortfall;
}

/**
 * How often each dataset can be refreshed. The status datasets come first, with at most three quarters
 * of the rate; the rest share what is left. Where it is not enough for their floors, both share by the
 * square-root rule. A pure function: equal input, equal plan.
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
  const wanted = status.reduce((sum, demand) => sum + atFloor(demand), 0);
  const statusRate = Math.min(wanted, rate * statusShare);
  const left = rate - statusRate - eventShare(input);
  const shares = [
    [status, squareRootRule(status, statusRate)],
    [others, squareRootRule(others, left)],
  ] as const;
  const seconds = new Map<string, number>(
    shares.flatMap(([ofKind, intervalsOfKind]) =>
      ofKind.map(({ name }, index) => [name, intervalsOfKind[index] ?? 0] as const),
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

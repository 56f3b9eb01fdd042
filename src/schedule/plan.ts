import type { DatasetName } from '../domain/dataset.ts';
import type { Demand, PlannedDataset } from './demand.ts';
import { eventRateShare } from './event-allowance.ts';
import { deeperShare, firstSightShare } from './first-sight.ts';
import { squareRootRule } from './square-root-rule.ts';

/** The status datasets are planned first, and get at most this share of the rate. */
const statusShare = 0.75;
/** Due items may use this share of the spare rate, so that new items are fetched soon. */
export const spareShare = 0.5;

interface PlanInput {
  /** Requests per second that may be spent now. */
  readonly rate: number;
  /** Recent requests per second for events, limited to their sustained share. */
  readonly eventRate?: number;
  /** Requests per second in the long run, for the shortfall; by default `rate`. */
  readonly lastingRate?: number;
  readonly demands: readonly Demand[];
}

export interface Plan {
  readonly datasets: readonly PlannedDataset[];
  readonly requestsPerSecond: number;
  /** The rate at which the past is read; 0 if all of it has been read. */
  readonly firstSightRequestsPerSecond?: number;
  /** The same rate in the long run. */
  readonly lastingFirstSight?: LastingFirstSight;
  /** The rate that neither the plan nor events use; 0 if the budget is too small. */
  readonly spareRequestsPerSecond: number;
  /** Requests per second that would keep every dataset at its floor. */
  readonly demandPerSecond: number;
  /** Absent if the limits sustain an interval within the ceiling for every dataset. */
  readonly shortfall?: Shortfall;
  /** The limits sustain reading the results of each check hourly. */
  readonly areResultsHourly?: true;
  /** Outages are seen late at the present rate, although the limits sustain the status datasets. */
  readonly isLateNow?: true;
}

/** Requests per second that the limits sustain for first sight. */
interface LastingFirstSight {
  /** While there are as many events as recently. */
  readonly requestsPerSecond: number;
  /** While events use their whole share. */
  readonly leastRequestsPerSecond: number;
}

/**
 * Computes how often each dataset is refreshed. The status datasets come first, with at most three
 * quarters of the rate. The others share the rest after events. Of that rest, first sight gets 80 %
 * while it has requests, and then a deeper past a quarter. If the remaining rate is too small for
 * the floors, the square-root rule divides it. The function is pure: equal input gives an equal
 * plan.
 */
export function plan(input: PlanInput): Plan {
  const { rate, lastingRate = rate } = input;
  const standing = input.demands.filter(isStanding);
  const replan = (demands: readonly Demand[]) => planIntervals({ rate: lastingRate, demands });
  const lasting = new Map(replan(standing).map((dataset) => [dataset.name, dataset]));
  const present = planIntervals(input);
  const datasets = present.map((dataset) => ({
    ...dataset,
    lastingIntervalSeconds: lasting.get(dataset.name)?.intervalSeconds ?? dataset.intervalSeconds,
    overCeiling: lasting.get(dataset.name)?.overCeiling ?? false,
    missingPerHour: lasting.get(dataset.name)?.missingPerHour ?? 0,
  }));
  const shortfall = shortfallOf([...lasting.values()], standing, replan);
  const requestsPerSecond = datasets.reduce((sum, dataset) => sum + dataset.requestsPerSecond, 0);
  return {
    datasets,
    requestsPerSecond,
    firstSightRequestsPerSecond: onceRate(input),
    lastingFirstSight: {
      requestsPerSecond: onceRate({ ...input, rate: lastingRate }),
      leastRequestsPerSecond: onceRate({
        rate: lastingRate,
        eventRate: Number.POSITIVE_INFINITY,
        demands: input.demands,
      }),
    },
    spareRequestsPerSecond: Math.max(0, rate - eventShare(input) - requestsPerSecond),
    demandPerSecond: standing.reduce((sum, demand) => sum + atFloor(demand), 0),
    ...(shortfall && { shortfall }),
    ...(areHourly(lasting.get('results')) && { areResultsHourly: true }),
    ...(areOutagesLate(present) && !shortfall?.isStatusLate && { isLateNow: true }),
  };
}

function areHourly(results: PlannedDataset | undefined): boolean {
  return results !== undefined && results.intervalSeconds <= 3_600;
}

type Rates = Omit<PlanInput, 'lastingRate'>;

function planIntervals(input: Rates): PlannedDataset[] {
  const { demands } = input;
  const status = demands.filter((demand) => demand.isStatus);
  const others = demands.filter((demand) => !demand.isStatus && isStanding(demand));
  const once = onceRate(input);
  const shares = [
    [status, squareRootRule(status, statusRate(input))],
    [others, squareRootRule(others, rateOfOthers(input) - once)],
  ] as const;
  const seconds = new Map<string, number>(
    shares.flatMap(([group, intervals]) =>
      group.map(({ name }, index) => [name, intervals[index] ?? 0] as const),
    ),
  );
  return demands.map((demand) => {
    const inTurn = seconds.get(demand.name) ?? (demand.items * demand.cost) / once;
    return plannedDataset(demand, Math.max(inTurn, isStanding(demand) ? 0 : demand.floorSeconds));
  });
}

function statusRate({ rate, demands }: Rates): number {
  const atFloors = demands
    .filter(({ isStatus }) => isStatus)
    .reduce((sum, demand) => sum + atFloor(demand), 0);
  return Math.min(atFloors, rate * statusShare);
}

function rateOfOthers(input: Rates): number {
  return Math.max(0, input.rate - statusRate(input) - eventShare(input));
}

/** The rate of datasets whose items are read once; 0 without such a dataset. */
function onceRate(input: Rates): number {
  const once = input.demands.find(({ isOnce }) => isOnce === true);
  if (once === undefined) return 0;
  return rateOfOthers(input) * (once.isDeeper ? deeperShare : firstSightShare);
}

/** Returns whether the items are refreshed at an interval, not only once. */
function isStanding({ isOnce }: Demand): boolean {
  return isOnce !== true;
}

function eventShare({ rate, eventRate = 0 }: Rates): number {
  return Math.min(eventRate, rate * eventRateShare);
}

function plannedDataset(demand: Demand, intervalSeconds: number): PlannedDataset {
  const { name, items, cost, isStatus, ceilingSeconds, isOnce } = demand;
  const requestsPerSecond = (items * cost) / intervalSeconds;
  const overCeiling = intervalSeconds > ceilingSeconds;
  return {
    name,
    items,
    cost,
    isStatus,
    ...(isOnce && { isOnce }),
    intervalSeconds,
    lastingIntervalSeconds: intervalSeconds,
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

/** The requests that are missing when the budget is too small for the enabled datasets. */
interface Shortfall {
  /**
   * A dataset that shows outages is among them, so outages are detected late. If absent, only other
   * data are older than they should be.
   */
  readonly isStatusLate?: true;
  /** The datasets whose interval exceeds their ceiling. */
  readonly datasets: readonly Demand['name'][];
  readonly missingPerHour: number;
  /** If these are disabled, the others stay within their ceilings, as far as possible. */
  readonly switchOff: readonly Demand['name'][];
  /** False if status datasets would still exceed their ceilings: only a larger budget helps. */
  readonly enough: boolean;
}

/** Maintenance is read with the status, but late maintenance delays no outage. */
function areOutagesLate(datasets: readonly PlannedDataset[]): boolean {
  return datasets.some(
    ({ name, isStatus, overCeiling }) => isStatus && overCeiling && name !== 'maintenance',
  );
}

type Replan = (demands: readonly Demand[]) => readonly PlannedDataset[];

/**
 * Suggests datasets to disable. Only datasets that are neither status nor refreshed by events are
 * considered. The most expensive are removed one by one, until `replan` shows that the others stay
 * within their ceilings. Datasets whose removal makes no difference are then added again.
 */
function shortfallOf(
  datasets: readonly PlannedDataset[],
  demands: readonly Demand[],
  replan: Replan,
): Shortfall | undefined {
  const tooSlow = datasets.filter((dataset) => dataset.overCeiling);
  if (tooSlow.length === 0) return undefined;
  const switchOff = pruned(mostExpensiveFirst(datasets, demands, replan), demands, replan);
  return {
    ...(areOutagesLate(tooSlow) && { isStatusLate: true }),
    datasets: tooSlow.map((dataset) => dataset.name),
    missingPerHour: tooSlow.reduce((sum, dataset) => sum + dataset.missingPerHour, 0),
    switchOff,
    enough: replan(without(demands, switchOff)).every((dataset) => !dataset.overCeiling),
  };
}

function mostExpensiveFirst(
  datasets: readonly PlannedDataset[],
  demands: readonly Demand[],
  replan: Replan,
): Demand['name'][] {
  const off: Demand['name'][] = [];
  let planned = datasets;
  while (!satisfied(planned)) {
    const mostExpensive = mostExpensiveOf(without(demands, off), planned);
    if (mostExpensive === undefined) break;
    off.push(mostExpensive);
    planned = replan(without(demands, off));
  }
  return off;
}

function pruned(
  off: readonly Demand['name'][],
  demands: readonly Demand[],
  replan: Replan,
): Demand['name'][] {
  let needed = [...off];
  for (const name of off.toReversed()) {
    const fewer = needed.filter((other) => other !== name);
    if (satisfied(replan(without(demands, fewer)))) needed = fewer;
  }
  return needed;
}

/** Status datasets are ignored, because they cannot use requests that the others save. */
function satisfied(planned: readonly PlannedDataset[]): boolean {
  return planned.every(({ isStatus, overCeiling }) => isStatus || !overCeiling);
}

function without(demands: readonly Demand[], off: readonly Demand['name'][]): readonly Demand[] {
  return demands.filter(({ name }) => !off.includes(name));
}

/** The dataset that costs most, except those without a ceiling, which events refresh. */
function mostExpensiveOf(
  demands: readonly Demand[],
  planned: readonly PlannedDataset[],
): Demand['name'] | undefined {
  const spent = new Map(planned.map((dataset) => [dataset.name, dataset.requestsPerSecond]));
  const price = ({ name }: Demand) => spent.get(name) ?? 0;
  const [mostExpensive] = demands
    .filter(({ isStatus, ceilingSeconds }) => !isStatus && Number.isFinite(ceilingSeconds))
    .sort((a, b) => price(b) - price(a));
  return mostExpensive?.name;
}

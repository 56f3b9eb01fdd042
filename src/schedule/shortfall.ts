import type { Demand, PlannedDataset } from './demand.ts';

/** What is missing when the budget is too small for the enabled datasets. */
export interface Shortfall {
  /** The datasets whose interval exceeds their ceiling. */
  readonly datasets: readonly Demand['name'][];
  readonly missingPerHour: number;
  /** Disabling these lets the others keep their ceilings, as far as possible. */
  readonly switchOff: readonly Demand['name'][];
  /** False when the status datasets still exceed theirs: then only a larger budget helps. */
  readonly enough: boolean;
}

type Replan = (demands: readonly Demand[]) => readonly PlannedDataset[];

/**
 * Suggests what to disable: of the datasets that are neither status nor refreshed by events, the most
 * expensive are removed until `replan` shows that the rest keep their ceilings. Those that turn out not to
 * matter are put back.
 */
export function shortfallOf(
  datasets: readonly PlannedDataset[],
  demands: readonly Demand[],
  replan: Replan,
): Shortfall | undefined {
  const tooSlow = datasets.filter((dataset) => dataset.overCeiling);
  if (tooSlow.length === 0) return undefined;
  const switchOff = pruned(mostExpensiveFirst(datasets, demands, replan), demands, replan);
  return {
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

/** Status datasets do not count: they get nothing of what the others save. */
function satisfied(planned: readonly PlannedDataset[]): boolean {
  return planned.every(({ status, overCeiling }) => status || !overCeiling);
}

function without(demands: readonly Demand[], off: readonly Demand['name'][]): readonly Demand[] {
  return demands.filter(({ name }) => !off.includes(name));
}

/** A dataset without a ceiling is refreshed by events, and is useful however rarely it is polled. */
function mostExpensiveOf(
  demands: readonly Demand[],
  planned: readonly PlannedDataset[],
): Demand['name'] | undefined {
  const spent = new Map(planned.map((dataset) => [dataset.name, dataset.requestsPerSecond]));
  const price = ({ name }: Demand) => spent.get(name) ?? 0;
  const [mostExpensive] = demands
    .filter(({ status, ceilingSeconds }) => !status && Number.isFinite(ceilingSeconds))
    .sort((a, b) => price(b) - price(a));
  return mostExpensive?.name;
}

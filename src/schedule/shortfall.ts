import type { Demand, PlannedDataset } from './demand.ts';

/** What is missing when the budget is too small for what is switched on. */
export interface Shortfall {
  /** The datasets whose interval is beyond their ceiling. */
  readonly datasets: readonly Demand['name'][];
  readonly missingPerHour: number;
  /** Without these the others keep their ceilings, as far as that can be had. */
  readonly switchOff: readonly Demand['name'][];
  /** False when the status datasets are beyond theirs all the same: then only a larger budget helps. */
  readonly enough: boolean;
}

type Replan = (demands: readonly Demand[]) => readonly PlannedDataset[];

/**
 * Names what to switch off: of the datasets that are neither status nor asked for by events, those
 * that spend most go until `replan` shows that the rest keep their ceilings, and those without which
 * it is enough all the same stay.
 */
export function shortfallOf(
  datasets: readonly PlannedDataset[],
  demands: readonly Demand[],
  replan: Replan,
): Shortfall | undefined {
  const over = datasets.filter((dataset) => dataset.overCeiling);
  if (over.length === 0) return undefined;
  const switchOff = pruned(mostExpensiveFirst(datasets, demands, replan), demands, replan);
  return {
    datasets: over.map((dataset) => dataset.name),
    missingPerHour: over.reduce((sum, dataset) => sum + dataset.missingPerHour, 0),
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
    const dearest = mostExpensiveOf(without(demands, off), planned);
    if (dearest === undefined) break;
    off.push(dearest);
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

/** Status datasets do not count: nothing that others save is given to them. */
function satisfied(planned: readonly PlannedDataset[]): boolean {
  return planned.every(({ status, overCeiling }) => status || !overCeiling);
}

function without(demands: readonly Demand[], off: readonly Demand['name'][]): readonly Demand[] {
  return demands.filter(({ name }) => !off.includes(name));
}

/** A dataset without a ceiling lives on events, and is needed however seldom its turn comes. */
function mostExpensiveOf(
  demands: readonly Demand[],
  planned: readonly PlannedDataset[],
): Demand['name'] | undefined {
  const spent = new Map(planned.map((dataset) => [dataset.name, dataset.requestsPerSecond]));
  const price = ({ name }: Demand) => spent.get(name) ?? 0;
  const [dearest] = demands
    .filter(({ status, ceilingSeconds }) => !status && Number.isFinite(ceilingSeconds))
    .sort((a, b) => price(b) - price(a));
  return dearest?.name;
}

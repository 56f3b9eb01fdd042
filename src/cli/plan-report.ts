import type { Reserves } from '../budget/reserve.ts';
import { windowNames } from '../domain/window.ts';
import { durationWords } from '../lib/duration-words.ts';
import {
  type AccountSize,
  type DatasetChoices,
  type Demand,
  demandsOf,
} from '../schedule/demand.ts';
import {
  naiveFate,
  requestPerCheckEachMinute,
  type WindowLimits,
} from '../schedule/naive-exporter.ts';
import { type Plan, plan } from '../schedule/plan.ts';
import type { PlannedDataset } from '../schedule/planned-dataset.ts';
import { planHeading } from './plan-heading.ts';
import { type PlanWindows, partialWindows, reservedOf } from './plan-window.ts';
import { textTable } from './text-table.ts';

/** What a configuration says about the plan. */
export interface PlanChoices {
  readonly datasets?: DatasetChoices;
  readonly reserve?: Reserves;
}

/** What the budget buys for an account of this size, in words and a table. */
export function planReport(
  size: AccountSize,
  windows: PlanWindows,
  { datasets, reserve = {} }: PlanChoices = {},
): string {
  const rate = sustainableRate(windows, reserve);
  const isWhole = partialWindows(windows).length === 0;
  const demands = demandsOf(size, datasets);
  const planned = plan({ rate, demands });
  const sections = [
    planHeading(size, windows, reserve),
    datasetTable(planned, demands),
    totals(planned, rate, isWhole),
    shortfallWords(planned),
    isWhole ? naiveWords(size.checks, limitsOf(windows)) : '',
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What may be spent of each window, spread over its time. */
function sustainableRate(windows: PlanWindows, reserves: Reserves): number {
  const rates = windowNames.map((name) => {
    const { requests, seconds } = windows[name];
    return Math.max(0, requests - reservedOf(name, windows, reserves)) / seconds;
  });
  return Math.min(...rates);
}

function datasetTable({ datasets }: Plan, demands: readonly Demand[]): string {
  const floors = new Map(demands.map(({ name, floorSeconds }) => [name, floorSeconds]));
  const rows = datasets.map((dataset) => [
    dataset.name,
    `${dataset.items}`,
    perHour(dataset.requestsPerSecond),
    interval(dataset),
    durationWords(floors.get(dataset.name) ?? 0),
    dataset.overCeiling ? `too slow, ${Math.ceil(dataset.missingPerHour)} requests/h missing` : '',
  ]);
  return textTable(['Dataset', 'Items', 'Requests/h', 'Every', 'At best', ''], rows, [1, 2]);
}

function interval({ intervalSeconds }: PlannedDataset): string {
  return Number.isFinite(intervalSeconds) ? durationWords(intervalSeconds) : 'never';
}

function totals(
  { requestsPerSecond, demandPerSecond }: Plan,
  rate: number,
  isWhole: boolean,
): string {
  const basis = isWhole ? 'the limits sustain' : 'what is left sustains until it resets';
  return [
    `Planned: ${perHour(requestsPerSecond)} of ${perHour(rate)} requests an hour that ${basis}.`,
    `With every dataset as fresh as it can be it would take ${perHour(demandPerSecond)}.`,
  ].join('\n');
}

function shortfallWords({ shortfall }: Plan): string {
  if (shortfall === undefined) return 'Every dataset is fresh enough to be useful.';
  const { datasets, missingPerHour, switchOff, enough } = shortfall;
  const missing = `Too slow to be useful: ${datasets.join(', ')}; ${Math.ceil(missingPerHour)} requests an hour are missing.`;
  if (switchOff.length === 0) return `${missing}\nOnly a larger budget helps.`;
  const rest = enough ? 'and the rest is fresh enough' : 'and the rest is still too slow';
  return `${missing}\nSwitch off ${switchOff.join(', ')}, ${rest}.`;
}

function limitsOf({ short, long }: PlanWindows): WindowLimits {
  return { short: short.requests, long: long.requests };
}

function naiveWords(checks: number, limits: WindowLimits): string {
  const fates = [
    ['An exporter that asks once per check each minute', requestPerCheckEachMinute(checks)],
    ['An exporter that asks for the list every 10 s', 1 / 10],
  ] as const;
  return fates.map(([who, rate]) => `${who} ${fateWords(rate, limits)}.`).join('\n');
}

function fateWords(rate: number, limits: WindowLimits): string {
  const { shortLastsSeconds, longLastsSeconds } = naiveFate(rate, limits);
  const words = [
    ...(shortLastsSeconds === undefined
      ? []
      : [`is refused after ${durationWords(shortLastsSeconds)} of each hour`]),
    ...(longLastsSeconds === undefined
      ? []
      : [`has used up the 30 days after ${durationWords(longLastsSeconds)}`]),
  ];
  return words.length === 0 ? 'would last' : words.join(' and ');
}

function perHour(requestsPerSecond: number): string {
  const value = requestsPerSecond * 3600;
  return value < 10 ? value.toFixed(1) : `${Math.round(value)}`;
}

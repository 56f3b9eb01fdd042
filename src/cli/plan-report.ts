import type { Reserves } from '../budget/reserve.ts';
import { datasetPolicies } from '../domain/dataset.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import { humanizeDuration } from '../lib/format-duration.ts';
import {
  type AccountSize,
  type DatasetChoices,
  type Demand,
  demandsOf,
  type PlannedDataset,
} from '../schedule/demand.ts';
import {
  type EventAllowance,
  eventAllowance,
  secondsForOnce,
} from '../schedule/event-allowance.ts';
import { type Plan, plan } from '../schedule/plan.ts';
import {
  incompleteWindows,
  limitFlags,
  naiveOutcome,
  type PlanWindows,
  requestPerCheckEachMinute,
  reservedIn,
  type WindowLimits,
} from './plan-window.ts';

/** The basis of the plan: the size of the account and its windows. */
function planHeading(size: AccountSize, windows: PlanWindows, reserves: Reserves): string {
  const partial = incompleteWindows(windows);
  const complete = windowNames.filter((name) => !partial.includes(name));
  return [
    `API ${size.version}: ${size.checks} checks, ${size.transactions} transactions`,
    ...windowLine('Limits', 'in', complete, windows, reserves),
    ...windowLine('Left now', 'in the next', partial, windows, reserves),
    ...caveat(partial),
  ].join('\n');
}

function windowLine(
  title: string,
  preposition: string,
  names: readonly WindowName[],
  windows: PlanWindows,
  reserves: Reserves,
): string[] {
  if (names.length === 0) return [];
  const amounts = names.map((name) => {
    const { requests, seconds } = windows[name];
    return `${requests} requests ${preposition} ${humanizeDuration(seconds)}`;
  });
  const reserved = names.map((name) => reservedIn(name, windows, reserves)).join(' and ');
  return [`${title}: ${amounts.join(', ')}; ${reserved} of them are left to others`];
}

function caveat(partial: readonly WindowName[]): string[] {
  if (partial.length === 0) return [];
  return [
    'The service reports what is left, but not its limits: this plan is valid only until the windows reset.',
    `For a lasting plan, run this right after a reset, or pass the limits with ${limitFlags(partial)}.`,
  ];
}

/** The settings that affect the plan. */
interface PlanChoices {
  readonly datasets?: DatasetChoices;
  readonly reserve?: Reserves;
}

/** The plan for an account of this size, as text with a table. */
export function planReport(
  size: AccountSize,
  windows: PlanWindows,
  { datasets, reserve = {} }: PlanChoices = {},
): string {
  const rate = sustainableRate(windows, reserve);
  const isComplete = incompleteWindows(windows).length === 0;
  const demands = demandsOf(size, datasetPolicies, datasets);
  const planned = plan({ rate, demands });
  const sections = [
    planHeading(size, windows, reserve),
    datasetTable(planned, demands),
    totalsLines(planned, rate, isComplete),
    describeHistory(planned, eventAllowance(rate, spendable(windows, reserve))),
    describeShortfall(planned),
    isComplete ? describeNaiveExporters(size.checks, limitsOf(windows)) : '',
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What may be spent of each window, divided by its length. */
function sustainableRate(windows: PlanWindows, reserves: Reserves): number {
  const rates = windowNames.map((name) => {
    const { requests, seconds } = windows[name];
    return Math.max(0, requests - reservedIn(name, windows, reserves)) / seconds;
  });
  return Math.min(...rates);
}

function datasetTable({ datasets }: Plan, demands: readonly Demand[]): string {
  const floors = new Map(demands.map(({ name, floorSeconds }) => [name, floorSeconds]));
  const rows = datasets.map((dataset) => [
    dataset.name,
    `${dataset.items}`,
    formatPerHour(dataset.requestsPerSecond),
    formatInterval(dataset),
    humanizeDuration(floors.get(dataset.name) ?? 0),
    dataset.overCeiling ? `too slow, ${Math.ceil(dataset.missingPerHour)} requests/h missing` : '',
  ]);
  return textTable(
    ['Dataset', 'Items', 'Requests/h', 'Interval', 'Min interval', ''],
    rows,
    [1, 2],
  );
}

function formatInterval({ intervalSeconds }: PlannedDataset): string {
  return Number.isFinite(intervalSeconds) ? humanizeDuration(intervalSeconds) : 'never';
}

function totalsLines(
  { requestsPerSecond, demandPerSecond }: Plan,
  rate: number,
  isComplete: boolean,
): string {
  const basis = isComplete ? 'the limits sustain' : 'what is left sustains until it resets';
  return [
    `Planned: ${formatPerHour(requestsPerSecond)} of ${formatPerHour(rate)} requests per hour that ${basis}.`,
    `With every dataset at its minimum interval it would be ${formatPerHour(demandPerSecond)}.`,
  ].join('\n');
}

function spendable(windows: PlanWindows, reserves: Reserves) {
  return {
    remaining: windows.short.requests,
    reserve: reservedIn('short', windows, reserves),
  };
}

/** Each is asked for once: in the background, where the time for all is an interval, and with what events leave. */
function describeHistory({ datasets }: Plan, allowance: EventAllowance): string {
  const history = datasets.find(({ name }) => name === 'history');
  if (history === undefined) return '';
  const { items, cost, intervalSeconds } = history;
  const seconds = Math.min(intervalSeconds, secondsForOnce(items * cost, allowance));
  const when =
    seconds < minutes ? 'within minutes' : `after ${humanizeDuration(seconds)} at the latest`;
  return `The past of ${items} checks that failed within 35 days takes ${items * cost} requests, once; it is known ${when}, unless there is an incident.`;
}

/** In seconds. */
const minutes = 600;

function describeShortfall({ shortfall }: Plan): string {
  if (shortfall === undefined) return 'Every dataset is fresh enough to be useful.';
  const { datasets, missingPerHour, switchOff, enough } = shortfall;
  const missing = `Too slow to be useful: ${datasets.join(', ')}; ${Math.ceil(missingPerHour)} requests per hour are missing.`;
  if (switchOff.length === 0) return `${missing}\nOnly a larger budget helps.`;
  const rest = enough ? 'and the rest is fresh enough' : 'and the rest is still too slow';
  return `${missing}\nDisable ${switchOff.join(', ')}, ${rest}.`;
}

function limitsOf({ short, long }: PlanWindows): WindowLimits {
  return { short: short.requests, long: long.requests };
}

function describeNaiveExporters(checks: number, limits: WindowLimits): string {
  const exporters = [
    ['An exporter that sends one request per check each minute', requestPerCheckEachMinute(checks)],
    ['An exporter that fetches the list every 10 s', 1 / 10],
  ] as const;
  return exporters.map(([who, rate]) => `${who} ${describeNaiveOutcome(rate, limits)}.`).join('\n');
}

function describeNaiveOutcome(rate: number, limits: WindowLimits): string {
  const { shortLastsSeconds, longLastsSeconds } = naiveOutcome(rate, limits);
  const outcomes = [
    ...(shortLastsSeconds === undefined
      ? []
      : [`is rejected after ${humanizeDuration(shortLastsSeconds)} of each hour`]),
    ...(longLastsSeconds === undefined
      ? []
      : [`has used up the 30-day window after ${humanizeDuration(longLastsSeconds)}`]),
  ];
  return outcomes.length === 0 ? 'would stay within the limits' : outcomes.join(' and ');
}

function formatPerHour(requestsPerSecond: number): string {
  const value = requestsPerSecond * 3600;
  return value < 10 ? value.toFixed(1) : `${Math.round(value)}`;
}

/** A table for the terminal; the columns in `right` are right-aligned. */
function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? '';
          return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

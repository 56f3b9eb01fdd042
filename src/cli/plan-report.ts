import type { Reserves } from '../budget/reserve.ts';
import { datasetPurposes } from '../domain/dataset-purposes.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import { ServedFamilies } from '../exposition/catalogue/served-families.ts';
import type { TypicalSeries } from '../exposition/typical-series.ts';
import { humanizeDuration, humanizeInterval } from '../lib/format-duration.ts';
import {
  type DatasetChoices,
  type Demand,
  type DemandSize,
  demandsOf,
} from '../schedule/demand.ts';
import { creditOf } from '../schedule/event-allowance.ts';
import { type FirstSightAllowance, secondsToRead } from '../schedule/first-sight.ts';
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
import { describeSeries, seriesCaveat, seriesOf } from './series-text.ts';

/** Describes the basis of the plan: the size of the account and its windows. */
function planHeading(size: DemandSize, windows: PlanWindows, reserves: Reserves): string {
  const partial = incompleteWindows(windows);
  const complete = windowNames.filter((name) => !partial.includes(name));
  return [
    `API ${size.version}: ${plural(size.checks, 'check')}, ${plural(size.transactions, 'transaction')}`,
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
  readonly byCountry?: boolean;
  readonly responseTimeBounds?: readonly number[];
}

/** Formats the plan for an account of this size, as text with a table. */
export function planReport(
  size: DemandSize,
  windows: PlanWindows,
  choices: PlanChoices = {},
  served = ServedFamilies.lean,
): string {
  const { datasets, reserve = {} } = choices;
  const rate = sustainableRate(windows, reserve);
  const isComplete = incompleteWindows(windows).length === 0;
  const demands = demandsOf(size, datasets);
  const planned = plan({ rate, demands: demands.filter(({ isOnce }) => isOnce !== true) });
  const atFirst = plan({ rate, demands });
  const areHourly = planned.areResultsHourly === true;
  const sections = [
    planHeading(size, windows, reserve),
    datasetTable(planned, demands),
    totalsLines(planned, rate, isComplete),
    describeDelay(planned),
    describeFirstSight(size, firstSightAllowance(atFirst, rate, windows, reserve)),
    describeShortfall(planned),
    describeTotal(size, served, seriesOf(served, { ...choices, ...size }, areHourly)),
    purposeTable(demands),
    isComplete ? describeNaiveExporters(size.checks, limitsOf(windows)) : '',
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Describes how many series an account of this size has in Prometheus. */
function describeTotal(size: DemandSize, served: ServedFamilies, series: TypicalSeries): string {
  const { checks, transactions, checksWithUnknownPast: failed = 0 } = size;
  const total =
    (checks - failed) * series.upCheck +
    failed * series.failedCheck +
    transactions * series.transaction +
    series.account;
  return `Series (metrics: ${served.mode}): ${total}. ${describeSeries(series)}.\n${seriesCaveat}`;
}

/** The lowest rate of the windows: requests above the reserve, divided by seconds. */
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
    humanizeInterval(dataset.intervalSeconds),
    humanizeInterval(floors.get(dataset.name) ?? 0),
    dataset.overCeiling ? `too slow, ${Math.ceil(dataset.missingPerHour)} requests/h missing` : '',
  ]);
  return textTable(
    ['Dataset', 'Items', 'Requests/h', 'Interval', 'Min interval', ''],
    rows,
    [1, 2],
  );
}

/** Returns the purpose of each dataset, so that people can decide which ones to disable. */
function purposeTable(demands: readonly Demand[]): string {
  const rows = demands.map(({ name }) => {
    const { use, loss } = datasetPurposes[name];
    return [name, use, loss];
  });
  return textTable(['Dataset', 'What it is for', 'What you lose without it'], rows);
}

/** Describes how late an outage is seen. */
function describeDelay({ datasets }: Plan): string {
  const delays = (['checks', 'transactions'] as const).flatMap((name) => {
    const planned = datasets.find((dataset) => dataset.name === name && dataset.status);
    if (planned === undefined) return [];
    const interval = humanizeInterval(planned.intervalSeconds);
    const what = name === 'checks' ? 'An outage of a check' : 'one of a transaction';
    return [
      interval !== 'never'
        ? `${what} is seen at most ${interval} after the service shows it`
        : `${what} is never seen`,
    ];
  });
  return delays.length === 0 ? '' : `${delays.join(', ')}.`;
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

function firstSightAllowance(
  { firstSightRequestsPerSecond: requestsPerSecond = 0, lastingFirstSight }: Plan,
  rate: number,
  windows: PlanWindows,
  reserves: Reserves,
): PlannedFirstSight {
  const { requests: remaining, seconds: resetSeconds } = windows.short;
  const reserve = reservedIn('short', windows, reserves);
  const credit = creditOf(rate, { remaining, reserve, resetSeconds });
  return {
    credit,
    requestsPerSecond,
    leastRequestsPerSecond: lastingFirstSight?.leastRequestsPerSecond ?? 0,
  };
}

interface PlannedFirstSight extends FirstSightAllowance {
  /** The rate while events use their whole share. */
  readonly leastRequestsPerSecond: number;
}

/** Describes how long the first start takes to read the states from before it. */
function describeFirstSight(
  { checksDown = 0, checksWithUnknownPast = 0 }: DemandSize,
  allowance: PlannedFirstSight,
): string {
  const pasts = Math.max(checksDown, checksWithUnknownPast);
  if (pasts === 0) return '';
  // Each check that is down takes three requests: its report, its analyses and its results.
  const open = 3 * checksDown;
  const requests = open + pasts - checksDown;
  const ofOpen =
    checksDown === 0
      ? ''
      : `\n${plural(checksDown, 'check is', 'checks are')} down: since when is read first, ${formatWhen(checksDown, allowance)}, then why, ${formatWhen(open, allowance)}.`;
  return `The past of ${plural(pasts, 'check that failed', 'checks that failed')} within 35 days takes ${plural(requests, 'request')}, once; it is known ${formatWhen(requests, allowance)}${caveatOf(requests, allowance)}.${ofOpen}`;
}

/** The duration of a long reading depends on the outages that happen meanwhile. */
function caveatOf(requests: number, allowance: PlannedFirstSight): string {
  if (secondsToRead(requests, allowance) <= daySeconds) return ', unless there is an incident';
  const lastingRequestsPerSecond = allowance.leastRequestsPerSecond;
  const most = formatWhen(requests, { ...allowance, lastingRequestsPerSecond });
  return `, or ${most} while there are many outages`;
}

const daySeconds = 86_400;
const soonSeconds = 600;

function formatWhen(requests: number, allowance: FirstSightAllowance): string {
  const seconds = secondsToRead(requests, allowance);
  if (seconds < soonSeconds) return 'within minutes';
  const interval = humanizeInterval(60 * Math.round(seconds / 60));
  return interval === 'never' ? interval : `after ${interval}`;
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function describeShortfall({ shortfall }: Plan): string {
  if (shortfall === undefined) return 'Every dataset is fresh enough to be useful.';
  const { datasets, missingPerHour, switchOff, enough, isStatusLate } = shortfall;
  const verdict = isStatusLate
    ? 'The request budget is too small: outages are seen late.'
    : 'The limits are enough for states and outages, but not for all slower data.';
  const missing = `Too slow to be useful: ${datasets.join(', ')}; ${Math.ceil(missingPerHour)} requests per hour are missing.`;
  if (switchOff.length === 0) return `${verdict}\n${missing}\nOnly a larger budget helps.`;
  const rest = enough ? 'and the rest is fresh enough' : 'and the rest is still too slow';
  return `${verdict}\n${missing}\nDisable ${switchOff.join(', ')}, ${rest}.`;
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

/** Formats a table for the terminal; the columns in `right` are right-aligned. */
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

import type { BudgetPart } from '../app/budget-parts.ts';
import type { Reserves } from '../budget/reserve.ts';
import { withLosses } from '../domain/dataset.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import { humanizeDuration, humanizeInterval } from '../lib/format-duration.ts';
import { plural } from '../lib/format-number.ts';
import {
  type DatasetChoices,
  type Demand,
  type DemandSize,
  demandsOf,
} from '../schedule/demand.ts';
import { type Plan, plan } from '../schedule/plan.ts';
import { incompleteWindows, limitFlags, type PlanWindows, reservedIn } from './plan-window.ts';

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
interface PlanChoices extends Partial<BudgetPart> {
  readonly datasets?: DatasetChoices;
  readonly reserve?: Reserves;
}

/** Formats the plan for an account of this size, as text with a table. */
export function planReport(
  size: DemandSize,
  windows: PlanWindows,
  choices: PlanChoices = {},
): string {
  const { datasets, reserve = {}, share = 1, sharedWith = [] } = choices;
  const rate = sustainableRate(windows, reserve) * share;
  const isComplete = incompleteWindows(windows).length === 0;
  const demands = demandsOf(size, datasets);
  const planned = plan({ rate, demands });
  const sections = [
    planHeading(size, windows, reserve),
    describeShare(share, sharedWith),
    datasetTable(planned, demands),
    totalsLines(planned, rate, isComplete),
    describeDelay(planned),
    describeShortfall(planned),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function describeShare(share: number, names: readonly string[]): string {
  if (names.length === 0) return '';
  const others = `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'}`;
  return `${others} the same credentials, so they share these limits. This account plans ${Math.round(share * 100)} % of them.`;
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

/** Describes how late an outage is seen. */
function describeDelay({ datasets }: Plan): string {
  const delays = (['checks', 'transactions'] as const).flatMap((name) => {
    const planned = datasets.find((dataset) => dataset.name === name && dataset.isStatus);
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

function describeShortfall({ shortfall }: Plan): string {
  if (shortfall === undefined) return 'Every dataset is fresh enough to be useful.';
  const { datasets, missingPerHour, switchOff, enough, isStatusLate } = shortfall;
  const verdict = isStatusLate
    ? 'The request budget is too small: outages are seen late.'
    : 'The limits are enough for states and outages, but not for all slower data.';
  const missing = `Too slow to be useful: ${datasets.join(', ')}; ${Math.ceil(missingPerHour)} requests per hour are missing.`;
  if (switchOff.length === 0) return `${verdict}\n${missing}\nOnly a larger budget helps.`;
  const rest = enough ? 'and the rest is fresh enough' : 'and the rest is still too slow';
  return `${verdict}\n${missing}\nDisable ${withLosses(switchOff)}, ${rest}.`;
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

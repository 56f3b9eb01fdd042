import { windowSize } from '../../budget/window-size.ts';
import { type DatasetName, withLosses } from '../../domain/dataset.ts';
import { type WindowName, windowNames } from '../../domain/rate-limit.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { AccountStatus } from '../ports.ts';

/** The shortage of the request budget in words. */
export interface BudgetVerdict {
  /** `late`: outages are seen late, which everyone should know. `slow`: a note for operators. */
  readonly level: 'late' | 'slow';
  readonly title: string;
  /** In complete sentences. */
  readonly sentences: readonly string[];
}

type Judged = Pick<AccountStatus, 'plan' | 'budget' | 'list'>;

/**
 * Undefined if outages are seen on time and the limits sustain the plan, apart from first sight and
 * bursts of others.
 */
export function budgetVerdict(status: Judged, nowSeconds: number): BudgetVerdict | undefined {
  const { shortfall, isLateNow } = status.plan ?? {};
  const reserved = windowNames.map((name) => reserveOfAll(name, status)).find(Boolean);
  if (reserved !== undefined) return reserved;
  if (isLateNow) return lateNow(status, nowSeconds);
  if (shortfall?.isStatusLate !== true && isSlowNow(status)) return slowNow(status, nowSeconds);
  if (shortfall === undefined) return undefined;
  const { datasets, missingPerHour, switchOff, isStatusLate } = shortfall;
  const missing = `About ${plural(Math.ceil(missingPerHour), 'more request')} an hour would keep ${datasets.join(', ')} fresh.`;
  if (isStatusLate) {
    const late = datasets.filter((name) => name === 'checks' || name === 'transactions');
    const items = late.join(' and ');
    return {
      level: 'late',
      title: `The request budget is too small: outages of ${items} are seen late.`,
      sentences: [
        missing,
        `What to do: ask for a higher request limit, lower the reserve, or monitor fewer ${items}.`,
      ],
    };
  }
  return {
    level: 'slow',
    title: 'The limits are enough for states and outages, but not for all slower data.',
    sentences: [missing, switchOffText(switchOff)].filter((sentence) => sentence !== ''),
  };
}

/** The verdict on a reserve, such as one for a larger plan, that leaves nothing of its window. */
function reserveOfAll(name: WindowName, { budget }: Judged): BudgetVerdict | undefined {
  const window = budget.windows[name];
  if (window === undefined || window.reserve < windowSize(window)) return undefined;
  const [reserve, size] = [window.reserve, windowSize(window)].map(formatDecimal);
  return {
    level: 'late',
    title: `The reserve of the ${name} window (${reserve} requests) leaves nothing of its ${size} requests: at most one request an hour is sent.`,
    sentences: [
      `What to do: lower budget.reserve.${name}. If others had spent the window before the exporter saw it, this ends with the reset.`,
    ],
  };
}

/** The check list is slower than usual if it takes this long, and this many times as long. */
const [slowSeconds, slowFactor] = [120, 2];

function checksOf({ plan }: Judged) {
  const { intervalSeconds = 0, lastingIntervalSeconds = 0 } =
    plan?.datasets?.find(({ name }) => name === 'checks') ?? {};
  return { intervalSeconds, lastingIntervalSeconds };
}

function isSlowNow(status: Judged): boolean {
  const { intervalSeconds, lastingIntervalSeconds } = checksOf(status);
  return intervalSeconds >= Math.max(slowSeconds, slowFactor * lastingIntervalSeconds);
}

function slowNow(status: Judged, nowSeconds: number): BudgetVerdict {
  const { intervalSeconds, lastingIntervalSeconds } = checksOf(status);
  const [now, usually] = [intervalSeconds, lastingIntervalSeconds].map(humanizeDuration);
  return forNow(`The check list is read every ${now} now, usually every ${usually}`, {
    status,
    nowSeconds,
  });
}

function lateNow(status: Judged, nowSeconds: number): BudgetVerdict {
  const { list } = status;
  const delay = list === undefined ? '' : ` up to ${humanizeDuration(list.outageDelaySeconds)}`;
  return forNow(`Outages are seen${delay} late now`, { status, nowSeconds });
}

interface Now {
  readonly status: Judged;
  readonly nowSeconds: number;
}

/** A shortage that ends with the short window. */
function forNow(what: string, { status, nowSeconds }: Now): BudgetVerdict {
  const { short } = status.budget.windows;
  const reset = new Date((nowSeconds + (short?.resetSeconds ?? 0)) * 1000);
  const until =
    short === undefined ? '' : `, until the short window resets at ${timeOf(reset)} UTC`;
  return {
    level: 'late',
    title: `${what}${until}.`,
    sentences: [
      'Most of this window is spent, usually by other clients of the account.',
      'After the reset, the check list is read as often as before. What to do: slow down the other clients.',
    ],
  };
}

function timeOf(date: Date): string {
  return date.toISOString().slice('2026-01-05T'.length, '2026-01-05T20:42'.length);
}

function switchOffText(switchOff: readonly DatasetName[]): string {
  if (switchOff.length === 0) return '';
  return `If they matter to you: ask for a higher request limit, or switch off ${withLosses(switchOff)}.`;
}

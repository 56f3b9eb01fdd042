import { UsageError } from '../../config/problems.ts';
import { escapeLabelValue } from '../../exposition/text-format.ts';
import { displayText } from '../../http/common/format.tsx';
import { formatInstant } from '../../lib/instant.ts';
import { type HistoryVerdict, verdictOn, youngestSeconds } from '../series/guards.ts';
import type { PastItem } from '../series/past-item.ts';
import type { ScrapeLabels } from './open-metrics.ts';
import type { PrometheusTarget } from './prometheus-target.ts';

interface JudgeOptions {
  readonly nowSeconds: number;
  /** Blocks must not overlap the last hours; samples that are sent may. */
  readonly isSent: boolean;
  /** Absent if no server is queried. */
  readonly target?: PrometheusTarget;
  /** The labels from the command line; absent if the server is queried for them. */
  readonly scrapeLabels?: ScrapeLabels;
}

type Judged =
  | { readonly kind: 'write'; readonly scrapeLabels: ScrapeLabels }
  | Exclude<HistoryVerdict, { readonly kind: 'write' }>;

/** Decides which items can be written, and with which labels of the scrape. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #limitSeconds: number;

  private constructor(options: JudgeOptions, limitSeconds: number) {
    this.#options = options;
    this.#limitSeconds = limitSeconds;
  }

  static async create(options: JudgeOptions): Promise<Judge> {
    if (options.isSent) return new Judge(options, Number.POSITIVE_INFINITY);
    const head = await options.target?.headFromSeconds();
    const limit = options.nowSeconds - youngestSeconds;
    return new Judge(options, Math.min(limit, head ?? limit));
  }

  async judge(item: PastItem): Promise<Judged> {
    const { target, scrapeLabels, nowSeconds } = this.#options;
    const limitSeconds = this.#limitSeconds;
    const before = verdictOn(item, { limitSeconds });
    if (before.kind !== 'write') return before;
    if (target === undefined) return { kind: 'write', scrapeLabels: scrapeLabels ?? {} };
    const { hasOlderSamples, scrapeLabels: found } = await target.look(item, nowSeconds);
    const verdict = verdictOn(item, { limitSeconds, hasOlderSamples });
    if (verdict.kind !== 'write') return verdict;
    return scrapeLabelsOf(found, scrapeLabels);
  }
}

/** The labels of an item's only scrape, if they match those from the command line. */
function scrapeLabelsOf(found: readonly ScrapeLabels[], given: ScrapeLabels = {}): Judged {
  const agreeing = found.filter((labels) =>
    Object.entries(given).every(([name, value]) => labels[name] === value),
  );
  const [labels, another] = agreeing;
  if (labels !== undefined && another === undefined) return { kind: 'write', scrapeLabels: labels };
  const reason =
    another === undefined
      ? 'the server has no live series of it under the same labels: wait until it was scraped'
      : 'the server has several live series of it: choose one with --label, such as --label job=uptime';
  return { kind: 'refused', reason };
}

/** With more items, the query is about the whole account. */
const mostQueried = 50;

/**
 * A query that shows whether the server has older samples, for users who specify no server. Other
 * items may have been seen earlier, so that their live series are older.
 */
export function olderSamplesQuery(account: string, items: readonly PastItem[]): string {
  const first = Math.min(...items.map(({ firstSeenSeconds }) => firstSeenSeconds));
  const names = new Set(items.map(({ kind }) => `uptime_${kind}_state_seconds_total`));
  const ids = items.map(({ id }) => id);
  const matchers = [
    `__name__=~"${[...names].join('|')}"`,
    `account="${escapeLabelValue(account)}"`,
    ...(ids.length <= mostQueried ? [`check_id=~"${ids.join('|')}"`] : []),
  ];
  return `last_over_time({${matchers.join(',')}}[2y] @ ${first - 1})`;
}

/** Parses `--label NAME=VALUE`. Throws a `UsageError` for an invalid label. */
export function readLabels(texts: readonly string[]): ScrapeLabels {
  const pairs = texts.map((text) => {
    const [, name, value] = /^([a-zA-Z_][a-zA-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`--label ${text}: expected NAME=VALUE, such as job=uptime`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** The reason why an item is not written, as text for people. */
export function excuse(item: PastItem, judged: Exclude<Judged, { kind: 'write' }>): string {
  const name = nameOf(item);
  return judged.kind === 'held'
    ? `${name}: first seen too recently; can be written from ${formatInstant(judged.fromSeconds)} on`
    : `${name}: ${judged.reason}`;
}

/** The gaps in the history of an item, as text for people; undefined if all entries were read. */
export function unreadableText(item: PastItem): string | undefined {
  const { unreadable } = item;
  if (unreadable === undefined) return undefined;
  return `${nameOf(item)}: ${unreadable} of the service's entries; their time is unmonitored, or without response times`;
}

/** The item as text for people. */
export function nameOf({ kind, id, labels, labelsNow }: PastItem): string {
  return `${kind} ${id} (${displayText(labelsNow?.name ?? labels.name ?? '')})`;
}

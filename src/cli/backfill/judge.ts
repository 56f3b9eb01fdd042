import { UsageError } from '../../config/problems.ts';
import { type HistoryVerdict, verdictOn, youngestSeconds } from '../../history/guards.ts';
import type { PastItem } from '../../history/past-item.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { ScrapeLabels } from './open-metrics.ts';
import type { PrometheusTarget } from './prometheus-target.ts';

interface JudgeOptions {
  readonly nowSeconds: number;
  /** Blocks must not reach into the last hours; samples that are sent may. */
  readonly isSent: boolean;
  /** Absent where no server is asked. */
  readonly target?: PrometheusTarget;
  /** As the user gave them; absent where they are found by asking. */
  readonly scrapeLabels?: ScrapeLabels;
}

export type Judged =
  | { readonly kind: 'write'; readonly scrapeLabels: ScrapeLabels }
  | Exclude<HistoryVerdict, { readonly kind: 'write' }>;

/** Decides for each item whether its history can be written, and under which labels of the scrape. */
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

/** The labels of the one scrape that the server has of an item, if they agree with those that the user gave. */
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

/** The query that shows whether a server has older samples, for a user who gives no server to ask. */
export function olderSamplesQuery(account: string, items: readonly PastItem[]): string {
  const first = Math.min(...items.map(({ firstSeenSeconds }) => firstSeenSeconds));
  return `last_over_time(uptime_check_state_seconds_total{account=${JSON.stringify(account)}}[2y] @ ${first - 1})`;
}

/** `--label NAME=VALUE`. Throws a `UsageError` for what is no label. */
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

/** Why an item is not written, for a person. */
export function excuse(item: PastItem, judged: Exclude<Judged, { kind: 'write' }>): string {
  const name = `${item.kind} ${item.id} (${item.labelsNow?.name ?? item.labels.name})`;
  return judged.kind === 'held'
    ? `${name}: first seen too recently; can be written from ${formatInstant(judged.fromSeconds)} on`
    : `${name}: ${judged.reason}`;
}

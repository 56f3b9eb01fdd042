import type { TalliedState } from '../domain/tally.ts';

/** Time spent in one state; UNIX seconds, the end excluded. */
export interface RecentSpan {
  readonly state: TalliedState;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const recentSeconds = 86_400;
/** Of a check that changes its state all the time, the oldest changes are forgotten early. */
const mostSpans = 200;

/**
 * The states of the last 24 hours of each check, or of each transaction, as they were booked; in memory
 * only. Spans of one item are in order and do not overlap.
 */
export class RecentStates {
  readonly #spans = new Map<number, RecentSpan[]>();

  /** Oldest first; empty when nothing is known. The last 24 hours end where the last span does. */
  of(id: number): readonly RecentSpan[] {
    return this.#spans.get(id) ?? [];
  }

  /** What is booked again, because it could not be made durable, takes the place of what it was. */
  book(id: number, booked: readonly RecentSpan[]): void {
    const [first] = booked;
    if (first === undefined) return;
    const spans = (this.#spans.get(id) ?? []).filter(
      ({ fromSeconds }) => fromSeconds < first.fromSeconds,
    );
    clip(spans, first.fromSeconds);
    for (const span of booked) append(spans, span);
    const start = (spans.at(-1)?.toSeconds ?? 0) - recentSeconds;
    const recent = spans.filter(({ toSeconds }) => toSeconds > start).slice(-mostSpans);
    this.#spans.set(id, recent);
  }

  forget(id: number): void {
    this.#spans.delete(id);
  }
}

function clip(spans: RecentSpan[], endSeconds: number): void {
  const last = spans.at(-1);
  if (last !== undefined && last.toSeconds > endSeconds) {
    spans[spans.length - 1] = { ...last, toSeconds: endSeconds };
  }
}

function append(spans: RecentSpan[], span: RecentSpan): void {
  const last = spans.at(-1);
  if (last?.state === span.state && last.toSeconds === span.fromSeconds) {
    spans[spans.length - 1] = { ...last, toSeconds: span.toSeconds };
  } else {
    spans.push({ ...span });
  }
}

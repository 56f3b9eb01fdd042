import type { PastItem } from './past-item.ts';

/** Prometheus discards its last hours in memory if a block overlaps them. */
export const youngestSeconds = 3 * 3_600;

/** The facts about the server that receives the history. */
interface TargetFacts {
  /** All samples must be older than this. */
  readonly limitSeconds: number;
  /** The server has samples of the item from before its counters began. */
  readonly hasOlderSamples?: boolean;
}

export type HistoryVerdict =
  | { readonly kind: 'write' }
  /** The past is too recent. It can be written from this time on. */
  | { readonly kind: 'held'; readonly fromSeconds: number }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Decides whether the past of an item can be written. It is refused, with the reason, if its
 * samples would be counted twice or would make the server lose samples.
 */
export function verdictOn(item: PastItem, target: TargetFacts): HistoryVerdict {
  const reason = refusalOf(item, target);
  if (reason !== undefined) return { kind: 'refused', reason };
  const { firstSeenSeconds } = item;
  if (firstSeenSeconds < target.limitSeconds) return { kind: 'write' };
  return { kind: 'held', fromSeconds: firstSeenSeconds + youngestSeconds };
}

function refusalOf(item: PastItem, { hasOlderSamples }: TargetFacts): string | undefined {
  const { past, refusal, labels, labelsNow } = item;
  if (refusal !== undefined) return `the service refused to report it: ${refusal}`;
  if (labelsNow === undefined) return 'it is no longer listed by the service';
  if (past === undefined) return 'its past has not been read yet';
  const changed = changedLabels(labels, labelsNow);
  if (changed !== undefined) {
    return `its labels have changed since it was first seen, so its history would count twice: ${changed}`;
  }
  if (hasOlderSamples === true) {
    return 'the server has samples of it from before its counters began: an earlier installation, a lost store, or history that was imported before';
  }
  return undefined;
}

/** The labels that differ, with both values; undefined if all are equal. */
function changedLabels(
  before: PastItem['labels'],
  now: NonNullable<PastItem['labelsNow']>,
): string | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => (before[name] ?? '') !== (now[name] ?? ''),
  );
  if (names.length === 0) return undefined;
  const textOf = (value: string | undefined) => JSON.stringify(value ?? '');
  return names
    .map((name) => `${name} was ${textOf(before[name])} and is ${textOf(now[name])}`)
    .join(', ');
}

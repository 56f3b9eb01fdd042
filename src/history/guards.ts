import type { PastItem } from './past-item.ts';

/** Prometheus keeps the last hours in memory; a block that reaches into them makes it drop them at its next start. */
export const youngestSeconds = 3 * 3_600;

/** What is known of the server that the history is for. */
export interface TargetFacts {
  /** No sample may be as young as this. */
  readonly limitSeconds: number;
  /** The server has samples of the item from before its counters began. */
  readonly hasOlderSamples?: boolean;
}

export type HistoryVerdict =
  | { readonly kind: 'write' }
  /** Too young; from that time on it can be written. */
  | { readonly kind: 'held'; readonly fromSeconds: number }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Whether the past of an item can be written. Anything that would count twice, or cost the server samples that it has, is
 * refused with the reason.
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

/** The labels that differ, with both values; undefined when none does. */
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

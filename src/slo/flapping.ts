import { z } from 'zod';
import { optional, type TypeOf } from '../lib/schema.ts';

/** The rules for when a check or a transaction is flapping. */
export interface FlappingLimits {
  /** The number of outages with which flapping begins. */
  readonly outages: number;
  /** The starts of these outages must be first shown within this time. */
  readonly withinSeconds: number;
  /** Flapping ends when the item has been up for this time. */
  readonly upForSeconds: number;
}

export const defaultFlapping: FlappingLimits = {
  outages: 3,
  withinSeconds: 3_600,
  upForSeconds: 1_800,
};

export const flappingSchema = z.object({
  active: z.boolean(),
  /**
   * The time of the first list since which every list has shown the item up. Absent if the last
   * list did not show it up, or if flapping has ended.
   */
  upSinceSeconds: optional.number,
  /** The time at which flapping ended; absent while it is active. */
  overAtSeconds: optional.number,
});
/** Present or past flapping. Times are UNIX seconds. */
export type Flapping = TypeOf<typeof flappingSchema>;

/** The state of one item in a list. */
export interface FlappingEvidence {
  /** `ended` if paused or in maintenance; `unsure` if unknown or unconfirmed. */
  readonly state: 'down' | 'up' | 'ended' | 'unsure';
  /** The time of the last failed test that the service reports. */
  readonly failedAtSeconds?: number | undefined;
}

/** Whether the last outages began within the configured time (oldest first). */
export function isFlapping(
  openedAtSeconds: readonly number[],
  { outages, withinSeconds }: FlappingLimits,
): boolean {
  const [first, last] = [openedAtSeconds.at(-outages), openedAtSeconds.at(-1)];
  return first !== undefined && last !== undefined && last - first <= withinSeconds;
}

/** Returns the flapping after a list, which alone can end it; the same object if unchanged. */
export function flappingAfter(
  flapping: Flapping | undefined,
  { state, failedAtSeconds }: FlappingEvidence,
  nowSeconds: number,
  { upForSeconds }: FlappingLimits,
): Flapping | undefined {
  if (flapping?.active !== true) return flapping;
  const { upSinceSeconds } = flapping;
  if (state === 'ended') return { active: false, overAtSeconds: nowSeconds };
  if (state !== 'up') return upSinceSeconds === undefined ? flapping : { active: true };
  // A failed test between two lists interrupts the time up, even if both lists show the item up.
  const isFresh = upSinceSeconds === undefined || (failedAtSeconds ?? 0) > upSinceSeconds;
  if (isFresh) return { active: true, upSinceSeconds: nowSeconds };
  if (nowSeconds - upSinceSeconds < upForSeconds) return flapping;
  return { active: false, overAtSeconds: nowSeconds };
}

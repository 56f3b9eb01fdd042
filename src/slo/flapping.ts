/** When a check or a transaction counts as flapping. */
export interface FlappingLimits {
  /** Flapping begins with this many outages, */
  readonly outages: number;
  /** whose starts are shown within this time, */
  readonly withinSeconds: number;
  /** and ends when the item has been up for this time. */
  readonly upForSeconds: number;
}

export const defaultFlapping: FlappingLimits = {
  outages: 3,
  withinSeconds: 3_600,
  upForSeconds: 1_800,
};

/** Present or past flapping. Times are UNIX seconds. */
export interface Flapping {
  readonly active: boolean;
  /**
   * While active: the first of the lists that show the item up without interruption; absent when the last list did not.
   */
  readonly upSinceSeconds?: number;
  /** When it ended; absent while active. */
  readonly overAtSeconds?: number;
}

/** The state of one item in a list. */
export interface FlappingEvidence {
  /** `ended`: the item is paused or in maintenance, so it is not expected to be up. */
  readonly state: 'down' | 'up' | 'ended' | 'unsure';
  /** The last failed test that the service reports. */
  readonly failedAtSeconds?: number | undefined;
}

/** Returns whether the last outages are close enough together. `openedAtSeconds` is oldest first. */
export function isFlapping(
  openedAtSeconds: readonly number[],
  { outages, withinSeconds }: FlappingLimits,
): boolean {
  const [first, last] = [openedAtSeconds.at(-outages), openedAtSeconds.at(-1)];
  return first !== undefined && last !== undefined && last - first <= withinSeconds;
}

/** Flapping after a list; the same object when nothing changed. Only a list ends it, never the passing of time. */
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
  // A failure between two lists interrupts the time that the item is known to be up.
  const isFresh = upSinceSeconds === undefined || (failedAtSeconds ?? 0) > upSinceSeconds;
  if (isFresh) return { active: true, upSinceSeconds: nowSeconds };
  if (nowSeconds - upSinceSeconds < upForSeconds) return flapping;
  return { active: false, overAtSeconds: nowSeconds };
}

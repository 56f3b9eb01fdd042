/** When a check or a transaction counts as flapping. */
export interface FlappingLimits {
  /** Flapping begins with this many outages … */
  readonly outages: number;
  /** … shown open within this time … */
  readonly withinSeconds: number;
  /** … and ends when the item has been up for this long. */
  readonly upForSeconds: number;
}

export const defaultFlapping: FlappingLimits = {
  outages: 3,
  withinSeconds: 3_600,
  upForSeconds: 1_800,
};

/** Flapping that lasts, or that has ended. Times are UNIX seconds. */
export interface Flapping {
  readonly active: boolean;
  /** While active: since when every list has shown the item up; absent when the last list did not. */
  readonly upSinceSeconds?: number;
  /** When it ended; absent while active. */
  readonly overAtSeconds?: number;
}

/** What a list shows of one item. */
export interface FlappingReading {
  /** `ended`: nobody expects the item to be up, because it is paused or in maintenance. */
  readonly state: 'down' | 'up' | 'ended' | 'unsure';
  /** The last failed test that the service reports. */
  readonly failedAtSeconds?: number | undefined;
}

/** Whether these outages, oldest first, are as many within the time as make an item flap. */
export function isFlapping(
  openedAtSeconds: readonly number[],
  { outages, withinSeconds }: FlappingLimits,
): boolean {
  const [first, last] = [openedAtSeconds.at(-outages), openedAtSeconds.at(-1)];
  return first !== undefined && last !== undefined && last - first <= withinSeconds;
}

/** Flapping after a list; the same object when nothing changed. It ends only by what a list shows, never because time passes. */
export function flappingAfter(
  flapping: Flapping | undefined,
  { state, failedAtSeconds }: FlappingReading,
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

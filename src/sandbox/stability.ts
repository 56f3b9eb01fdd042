/**
 * How often and how long checks of a kind fail. Time is divided into blocks of tests with at most one
 * disturbance each, so that looking back from any moment is cheap.
 */
export interface Stability {
  readonly blockSeconds: number;
  /** Share of blocks with a disturbance. */
  readonly disturbed: number;
  /** Of the disturbances, those that are one failed test, never confirmed. */
  readonly glitches: number;
  /** Of the disturbances, those in which the result is not known. */
  readonly unknowns: number;
  readonly shortestSeconds: number;
  readonly longestSeconds: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const stabilities = {
  steady: {
    blockSeconds: 21 * day,
    disturbed: 0.7,
    glitches: 0.25,
    unknowns: 0.05,
    shortestSeconds: 15 * minute,
    longestSeconds: 3 * hour,
  },
  ordinary: {
    blockSeconds: 4 * day,
    disturbed: 0.5,
    glitches: 0.45,
    unknowns: 0.05,
    shortestSeconds: 3 * minute,
    longestSeconds: 45 * minute,
  },
  flaky: {
    blockSeconds: 6 * hour,
    disturbed: 0.5,
    glitches: 0.5,
    unknowns: 0.1,
    shortestSeconds: 2 * minute,
    longestSeconds: 12 * minute,
  },
} as const satisfies Record<string, Stability>;

export type StabilityName = keyof typeof stabilities;

/** UNIX seconds, the end excluded. */
export interface TimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const monitoredStates = ['up', 'down', 'unknown'] as const;

/** The state of a check while it is monitored (API 3.1, section 3). */
export type MonitoredState = (typeof monitoredStates)[number];

export const talliedStates = [...monitoredStates, 'unmonitored'] as const;

/** The state to which a second of a check or a transaction is counted. */
export type TalliedState = (typeof talliedStates)[number];

/** Time spent in one state (API 3.1, section 2.9). */
export interface StateSpan<S extends TalliedState = TalliedState> extends TimeRange {
  readonly state: S;
}

/** Whether two ranges have a second in common. */
export function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.fromSeconds < b.toSeconds && a.toSeconds > b.fromSeconds;
}

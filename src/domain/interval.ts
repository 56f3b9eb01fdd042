/** UNIX seconds, the end excluded. */
export interface TimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const monitoredStates = ['up', 'down', 'unknown'] as const;

/** What a check can be found to be while it is monitored (API 3.1, section 3). */
export type MonitoredState = (typeof monitoredStates)[number];

export const talliedStates = [...monitoredStates, 'unmonitored'] as const;

/** Where a second of a check's or a transaction's time was spent. */
export type TalliedState = (typeof talliedStates)[number];

/** Time spent in one state (API 3.1, section 2.9). */
export interface StateSpan<S extends TalliedState = TalliedState> extends TimeRange {
  readonly state: S;
}

/** A span of time to ask about; UNIX seconds. */
export interface TimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const monitoredStates = ['up', 'down', 'unknown'] as const;

/** What a check can be found to be while it is monitored (API 3.1, section 3). */
export type MonitoredState = (typeof monitoredStates)[number];

/** A span in which a check was in one state (API 3.1, section 2.9); UNIX seconds, the end excluded. */
export interface StateSpan {
  readonly state: MonitoredState;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

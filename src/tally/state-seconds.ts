import { type MonitoredState, monitoredStates } from '../domain/outage.ts';

export const tallyStates = [...monitoredStates, 'unmonitored'] as const;

/** What a second of an item's life can be booked as. */
export type TallyState = MonitoredState | 'unmonitored';

export type StateSeconds = { readonly [S in TallyState]: number };

/** Time booked as one state; UNIX seconds, the end excluded. */
export interface BookedSpan {
  readonly state: TallyState;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const noSeconds: StateSeconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

export function addSpans(seconds: StateSeconds, spans: readonly BookedSpan[]): StateSeconds {
  const sum = { ...seconds };
  for (const { state, fromSeconds, toSeconds } of spans) sum[state] += toSeconds - fromSeconds;
  return sum;
}

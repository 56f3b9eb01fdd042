import type { SecondsByState, TalliedState } from '../domain/tally.ts';

/** Time booked as one state; UNIX seconds, the end excluded. */
export interface BookedSpan {
  readonly state: TalliedState;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export const noSeconds: SecondsByState = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

export function addSpans(seconds: SecondsByState, spans: readonly BookedSpan[]): SecondsByState {
  const sum = { ...seconds };
  for (const { state, fromSeconds, toSeconds } of spans) sum[state] += toSeconds - fromSeconds;
  return sum;
}

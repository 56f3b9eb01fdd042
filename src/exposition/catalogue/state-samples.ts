import { type SecondsByState, talliedStates } from '../../domain/tally.ts';
import type { Emit } from './family.ts';

/** One series for each state that time is tallied by. */
export function emitStates(seconds: SecondsByState | undefined, emit: Emit): void {
  if (seconds === undefined) return;
  for (const state of talliedStates) emit(seconds[state], state);
}

import type { CheckStatus } from '../../domain/check.ts';

const problems = ['down', 'unconfirmed_down', 'unknown'] as const satisfies readonly CheckStatus[];
const others = ['up', 'paused'] as const satisfies readonly CheckStatus[];

/** Every state of a check or transaction, the worst first. */
export const states = [...problems, ...others] as const;

/** Down, unconfirmed or unknown. */
export function isProblem(state: CheckStatus): boolean {
  return states.indexOf(state) < problems.length;
}

/**
 * The place of a state in every list that has the worst first; lower is worse. A problem in
 * maintenance is less urgent than any other problem.
 */
export function urgencyOf(state: CheckStatus, inMaintenance: boolean): number {
  const place = states.indexOf(state);
  return isProblem(state) && !inMaintenance ? place : place + problems.length;
}

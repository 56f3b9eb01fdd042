import type { AccountStatus, PlanView } from '../ports.ts';

type Planned = Pick<AccountStatus, 'budget' | 'plan'> & {
  readonly snapshot: Pick<AccountStatus['snapshot'], 'up'>;
};

/**
 * The plan at the rate that is followed now: it was made some time ago, and the budget may allow
 * less. Undefined without a plan, and while requests wait or fail.
 */
export function followedPlan({ budget, plan, snapshot }: Planned): PlanView | undefined {
  if (plan === undefined || budget.paused || !snapshot.up) return undefined;
  const requestsPerSecond = Math.min(plan.requestsPerSecond, budget.requestsPerSecond);
  return { ...plan, requestsPerSecond };
}

import type { AccountStatus } from '../ports.ts';

export type AccountState = 'ok' | 'starting' | 'failing' | 'stale' | 'unauthorized' | 'paused';

/** The one thing to know about an account first. What an operator must repair comes before what passes by itself. */
export function accountState({ snapshot, budget }: AccountStatus): AccountState {
  const { failure, lastSuccessAtSeconds, stale } = snapshot.datasets.checks;
  if (failure?.reason === 'unauthorized' || failure?.reason === 'forbidden') return 'unauthorized';
  if (budget.paused) return 'paused';
  if (snapshot.up) return 'ok';
  if (stale && lastSuccessAtSeconds !== undefined) return 'stale';
  return failure === undefined ? 'starting' : 'failing';
}

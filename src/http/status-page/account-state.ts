import type { AccountStatus } from '../ports.ts';

export const accountStates = {
  ok: { word: 'Up', tone: 'good', meaning: 'The check list is fresh.' },
  starting: { word: 'Starting', tone: 'calm', meaning: 'The first check list is on its way.' },
  failing: {
    word: 'Failing',
    tone: 'warn',
    meaning: 'The last refresh of the check list failed; the data shown are the last good ones.',
  },
  stale: {
    word: 'Stale',
    tone: 'bad',
    meaning: 'The data of this account are too old, so they are withdrawn until a refresh works.',
  },
  unauthorized: {
    word: 'Unauthorised',
    tone: 'bad',
    meaning: 'The service does not let the exporter read this account.',
  },
  paused: {
    word: 'Out of budget',
    tone: 'warn',
    meaning: 'Every request is held back until a window of the rate limit resets.',
  },
} as const;

export type AccountState = keyof typeof accountStates;

/** The one thing to know about an account first. What an operator must repair comes before what passes by itself. */
export function accountState({ snapshot, budget }: AccountStatus): AccountState {
  const { failure, lastSuccessAtSeconds, stale } = snapshot.datasets.checks;
  if (failure?.reason === 'unauthorized' || failure?.reason === 'forbidden') return 'unauthorized';
  if (budget.paused) return 'paused';
  if (snapshot.up) return 'ok';
  if (stale && lastSuccessAtSeconds !== undefined) return 'stale';
  return failure === undefined ? 'starting' : 'failing';
}

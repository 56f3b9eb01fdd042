import type { Check } from '../../../src/domain/check.ts';
import { AccountState } from '../../../src/state/account-state.ts';
import type { CheckTotals } from '../../../src/state/items/totals.ts';
import { startEventTally } from '../../../src/tally/event-tally.ts';
import { startResultTally } from '../../../src/tally/result-tally.ts';
import { startTally } from '../../../src/tally/start-tally.ts';

type Options = ConstructorParameters<typeof AccountState>[0];

/** The state of the account `shop`, whose totals are stored at once unless the test says otherwise. */
export function shopState(options: Pick<Options, 'clock'> & Partial<Options>): AccountState {
  return new AccountState({
    sleep: undefined,
    account: 'shop',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    storeTotals: async () => {},
    responseTimeBounds: [1],
    ...options,
  });
}

/** Results and analyses of a check, of which none is counted yet. */
export function noEvents(nowSeconds: number) {
  return { results: startResultTally(nowSeconds, [1]), analyses: startEventTally(nowSeconds) };
}

/** The totals of a check that is seen for the first time now. */
export function firstTotals(check: Check, nowSeconds: number): CheckTotals {
  const states = startTally(check, { receivedAtSeconds: nowSeconds, passedSeconds: nowSeconds });
  return { states, ...noEvents(nowSeconds) };
}

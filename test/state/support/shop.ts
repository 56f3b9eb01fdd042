import type { Check } from '../../../src/domain/check.ts';
import { AccountState } from '../../../src/state/account-state.ts';
import type { CheckTotals } from '../../../src/state/items/totals.ts';
import { startEventTally } from '../../../src/tally/event-tally.ts';
import { startResultTally } from '../../../src/tally/result-tally.ts';
import { startTally } from '../../../src/tally/start-tally.ts';
import { defaultPolicies } from '../../support/default-policies.ts';

type Options = ConstructorParameters<typeof AccountState>[0];

const deaf: Options['events'] = {
  arrived: () => {},
  left: () => {},
  relabelled: () => {},
  tagIgnored: () => {},
  groupsLeftOut: () => {},
};

type ShopOptions = Pick<Options, 'clock'> &
  Partial<Omit<Options, 'events'>> & { readonly events?: Partial<Options['events']> };

/** The state of the account `shop`, whose totals are stored at once unless the test says otherwise. */
export function shopState({ events, ...options }: ShopOptions): AccountState {
  return new AccountState({
    account: 'shop',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    serviceClock: options.clock,
    storeTotals: async () => {},
    responseTimeBounds: [1],
    maxStaleness: {},
    policies: defaultPolicies(),
    events: { ...deaf, ...events },
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

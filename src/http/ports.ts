import type { BudgetView } from '../budget/budget-view.ts';
import type { AccountSnapshot } from '../state/account-snapshot.ts';

/** What the pages for people are made from. Reading it never calls the API. */
export interface StatusSource {
  accounts(): readonly AccountStatus[];
}

export interface AccountStatus {
  readonly snapshot: AccountSnapshot;
  readonly budget: BudgetView;
}

export interface Health {
  /** The poller's own loop ticks; does not depend on the API. */
  alive(): boolean;
  /** There are data to serve. */
  ready(): boolean;
}

/** Where a failure inside a handler goes; a pino logger is one. */
export interface HttpLogger {
  error(facts: object, message: string): void;
}

import type { AttemptEvents } from '../api/http/client.ts';
import type { BudgetEvents } from '../budget/budget.ts';
import type { RefreshEvents } from '../datasets/refresh-context.ts';
import type { PlannerEvents } from '../schedule/planner.ts';
import type { PollerEvents } from '../schedule/poller.ts';
import type { ItemEvents } from '../state/leaving.ts';
import type { StandingEvents } from '../state/standing/account-standing.ts';
import type { LostRecord } from '../store/store.ts';

export interface AccountEvents
  extends AttemptEvents,
    BudgetEvents,
    ItemEvents,
    PlannerEvents,
    PollerEvents,
    RefreshEvents,
    StandingEvents {
  /**
   * Records of the account could not be read when it was restored. A removed account has no events: its
   * lost records matter when it returns.
   */
  recordsLost(records: readonly LostRecord[]): void;
  /** The state was stored. */
  stored(): void;
}

/** The events of one account. Log, metrics and storage each implement the events that they need. */
export type AccountListener = Partial<AccountEvents>;

const eventNames: Record<keyof AccountEvents, true> = {
  arrived: true,
  attempted: true,
  budgetAllowsAgain: true,
  budgetModeChanged: true,
  budgetNoted: true,
  budgetUsedUp: true,
  changed: true,
  changesLeftOut: true,
  failed: true,
  forgotten: true,
  groupsLeftOut: true,
  left: true,
  loopFailed: true,
  planChanged: true,
  planned: true,
  recordsLost: true,
  refreshed: true,
  relabelled: true,
  reportContradicted: true,
  reportGivenUp: true,
  stored: true,
  storeFailed: true,
  tagIgnored: true,
  tagsLeftOut: true,
  transactionUnitDetected: true,
  typeNotKnown: true,
};

/** Passes each event on to all listeners, in the order in which they were added. */
export class AccountListeners {
  readonly #listeners: AccountListener[] = [];
  readonly events: AccountEvents;

  constructor() {
    const names = Object.keys(eventNames) as (keyof AccountEvents)[];
    const entries = names.map((name) => [name, (...facts: never[]) => this.#tell(name, facts)]);
    this.events = Object.fromEntries(entries);
  }

  add(...listeners: readonly AccountListener[]): void {
    this.#listeners.push(...listeners);
  }

  #tell(name: keyof AccountEvents, facts: readonly never[]): void {
    for (const listener of this.#listeners) {
      const handler: ((...facts: never[]) => void) | undefined = listener[name];
      handler?.apply(listener, [...facts]);
    }
  }
}

import type { AccountFacts } from './account-facts.ts';
import { type MaintenanceNow, maintenanceAt } from './maintenance-now.ts';
import { type OccurrencesOf, occurrencesByCheck } from './occurrences.ts';

/** The maintenance of an account as it was last read. What it works out is the same object while it holds. */
export class MaintenanceCalendar {
  #read: AccountFacts['maintenance'];
  #now: MaintenanceNow | undefined;
  #occurrencesOf: OccurrencesOf = occurrencesByCheck(undefined);

  learn(maintenance: NonNullable<AccountFacts['maintenance']>): void {
    this.#read = maintenance;
    this.#now = undefined;
    this.#occurrencesOf = occurrencesByCheck(maintenance);
  }

  get occurrencesOf(): OccurrencesOf {
    return this.#occurrencesOf;
  }

  /** Undefined while nothing is known. */
  at(nowSeconds: number): MaintenanceNow | undefined {
    if (this.#read === undefined) return undefined;
    if (this.#now === undefined || nowSeconds >= this.#now.untilSeconds) {
      this.#now = maintenanceAt(this.#read.windows, this.#read.occurrences, nowSeconds);
    }
    return this.#now;
  }
}

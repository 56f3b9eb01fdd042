import type { Check } from '../../domain/check.ts';
import { missingPast } from '../../windows/past.ts';
import type { KnownStates } from '../../windows/state-history.ts';

interface Checks {
  get(id: number): { readonly entry: Check; readonly totals: KnownStates } | undefined;
}

/** Checks of which states before their first sight are not known, so that the service has to be asked. */
export class UnknownPast {
  readonly #checks: Checks;
  readonly #ids = new Set<number>();
  #version = 0;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Another number when checks may be answerable that were not. */
  get version(): number {
    return this.#version;
  }

  /** Checks that were listed or restored for the first time; of others the past can only become known. */
  added(ids: Iterable<number>): void {
    const before = this.#ids.size;
    for (const id of this.#ids) if (!this.#isUnknown(id)) this.#ids.delete(id);
    for (const id of ids) if (this.#isUnknown(id)) this.#ids.add(id);
    // Whose first horizon has moved since the last list can be asked for now.
    if (before > 0 || this.#ids.size > 0) this.#version += 1;
  }

  /** The past of a check was read. */
  known(id: number): void {
    if (!this.#isUnknown(id)) this.#ids.delete(id);
  }

  /** Those whose past can be asked for: what was there at first sight is settled. The next test decides what a state in doubt was. */
  answerable(): number[] {
    return [...this.#ids].filter((id) => {
      const states = this.#checks.get(id)?.totals.states;
      if (states === undefined) return false;
      const isSettled = states.horizonSeconds > states.startSeconds;
      return isSettled || states.state === 'up' || states.state === 'down';
    });
  }

  #isUnknown(id: number): boolean {
    const record = this.#checks.get(id);
    return record !== undefined && missingPast(record.totals, record.entry) !== undefined;
  }
}

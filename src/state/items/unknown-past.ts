import type { Check } from '../../domain/check.ts';
import { missingPast, settledTail } from '../../slo/past.ts';
import type { KnownStates } from '../../slo/state-log.ts';

interface Checks {
  get(id: number): { readonly entry: Check; readonly totals: KnownStates } | undefined;
}

/** Checks with unknown states before they were first seen, so that a report is needed. */
export class UnknownPast {
  readonly #checks: Checks;
  readonly #ids = new Set<number>();
  /** Checks whose past was read but for a tail, which is read when its report can lag no longer. */
  readonly #tails = new Set<number>();
  #version = 0;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Increases when further checks may be requestable. */
  get version(): number {
    return this.#version;
  }

  /** Adds newly listed or restored checks. The past of other checks can only become known. */
  added(ids: Iterable<number>): void {
    const before = this.#ids.size;
    for (const id of this.#ids) if (!this.isUnknown(id)) this.#ids.delete(id);
    for (const id of [...ids, ...this.#tails]) this.#place(id);
    // Checks whose first horizon has moved since the last list became requestable.
    if (before > 0 || this.#ids.size > 0) this.#version += 1;
  }

  /** The past of a check was read. */
  known(id: number): void {
    this.#place(id);
  }

  #place(id: number): void {
    const hasTail = this.#checks.get(id)?.totals.log?.tail !== undefined;
    if (this.isUnknown(id)) this.#ids.add(id);
    else this.#ids.delete(id);
    if (hasTail) this.#tails.add(id);
    else this.#tails.delete(id);
  }

  /** Checks whose past can be requested. */
  ids(): number[] {
    return [...this.#ids];
  }

  isUnknown(id: number): boolean {
    const record = this.#checks.get(id);
    if (record === undefined) return false;
    const { entry, totals } = record;
    return missingPast(totals, entry) !== undefined || settledTail(totals) !== undefined;
  }
}

import { type Check, lastFailureOf } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import { missingPast } from '../../slo/past.ts';
import type { KnownStates } from '../../slo/state-log.ts';
import { dueTail } from '../../slo/tail.ts';

interface Checks {
  get(id: number): { readonly entry: Check; readonly totals: KnownStates } | undefined;
}

/** A check that still lacks data from before it was first seen. */
export interface FirstSightCheck {
  readonly id: number;
  /** It was down when it was first seen, or is down. */
  readonly isOpen: boolean;
  readonly lastFailedAtSeconds: number;
  readonly lacks: ReadonlySet<DatasetName>;
}

const ofOpen = ['analyses', 'results'] as const satisfies DatasetName[];

/** Data that newly seen checks lack: their past, and the causes of open outages. */
export class FirstSight {
  readonly #checks: Checks;
  /** Checks whose past can be requested. */
  readonly #unknown = new Set<number>();
  /** Checks whose past was read but for a tail, which is read again later. */
  readonly #tails = new Set<number>();
  /** Checks that were down at first sight, or when they were restored. */
  readonly #open = new Set<number>();
  #version = 0;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** The number of checks whose past can be requested. */
  get pastsLeft(): number {
    return this.#unknown.size;
  }

  /** Increases when further data may be requestable. */
  get version(): number {
    return this.#version;
  }

  /** Adds newly listed or restored checks. The past of other checks can only become known. */
  added(ids: Iterable<number>): void {
    const before = this.#unknown.size;
    for (const id of this.#unknown) if (!this.isPastUnknown(id)) this.#unknown.delete(id);
    for (const id of this.#tails) this.pastRead(id);
    for (const id of ids) {
      this.pastRead(id);
      if (this.#checks.get(id)?.entry.status !== 'down') continue;
      this.#open.add(id);
      this.#version += 1;
    }
    // Checks whose first horizon has moved since the last list became requestable.
    if (before > 0 || this.#unknown.size > 0) this.#version += 1;
  }

  /** Checks have left: nothing is read of them. */
  left(ids: Iterable<number>): void {
    for (const id of ids) {
      for (const waiting of [this.#unknown, this.#tails, this.#open]) waiting.delete(id);
    }
  }

  /** The past of a check may have become known. */
  pastRead(id: number): void {
    const hasTail = this.#checks.get(id)?.totals.log?.tail !== undefined;
    if (this.isPastUnknown(id)) this.#unknown.add(id);
    else this.#unknown.delete(id);
    if (hasTail) this.#tails.add(id);
    else this.#tails.delete(id);
  }

  /** Whether states from before a check was first seen are unknown, so that a report is needed. */
  isPastUnknown(id: number): boolean {
    const record = this.#checks.get(id);
    if (record === undefined) return false;
    const { entry, totals } = record;
    return missingPast(totals, entry) !== undefined || dueTail(totals, entry) !== undefined;
  }

  /** Checks whose past can be requested. */
  unknownPasts(): Iterable<number> {
    return this.#unknown;
  }

  checks(): FirstSightCheck[] {
    return [...new Set([...this.#unknown, ...this.#open])].flatMap((id) => {
      const entry = this.#checks.get(id)?.entry;
      if (entry === undefined) return [];
      const wasOpen = this.#open.has(id);
      const lacks = new Set<DatasetName>(wasOpen ? ofOpen : []);
      if (this.#unknown.has(id)) lacks.add('history');
      const isOpen = wasOpen || entry.status === 'down';
      return [{ id, isOpen, lastFailedAtSeconds: lastFailureOf(entry), lacks }];
    });
  }
}

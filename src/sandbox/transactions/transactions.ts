import { present } from '../../lib/present.ts';
import { hashUnit } from '../../lib/random.ts';
import { kindOfSteps } from './step.ts';
import { runFrom, type Transaction, withSettings } from './transaction.ts';
import type { ChangedSettings, TransactionSettings } from './transaction-settings.ts';

const responseSalt = 62;

/** Milliseconds a transaction typically takes, all steps together. */
export function typicalMilliseconds(id: number, steps: number): number {
  return Math.round(400 * steps * (0.6 + hashUnit(id, responseSalt)));
}

/** The transactions of the account: those of the seed, and what was written since. */
export class Transactions {
  readonly #byId: Map<number, Transaction>;
  #nextId: number;

  /** `firstId` is the lowest identifier there may be. */
  constructor(seeded: readonly Transaction[], firstId: number) {
    this.#byId = new Map(seeded.map((transaction) => [transaction.id, transaction]));
    this.#nextId = Math.max(firstId - 1, ...this.#byId.keys()) + 1;
  }

  /** In the order of their identifiers. */
  get all(): readonly Transaction[] {
    return [...this.#byId.values()];
  }

  find(id: number): Transaction | undefined {
    return this.#byId.get(id);
  }

  /** How many transactions bear each tag. */
  tagCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { settings } of this.#byId.values()) {
      for (const tag of new Set(settings.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return counts;
  }

  /** Runs from `now`, in UNIX seconds, on, if it is active. */
  create(settings: TransactionSettings, now: number): Transaction {
    const id = this.#nextId;
    this.#nextId += 1;
    const transaction: Transaction = {
      id,
      kind: kindOfSteps(settings.steps),
      createdAt: now,
      modifiedAt: now,
      settings,
      stability: 'ordinary',
      typicalResponseMilliseconds: typicalMilliseconds(id, settings.steps.length),
      runs: settings.active ? [runFrom(id, now, settings.interval)] : [],
    };
    this.#byId.set(id, transaction);
    return transaction;
  }

  /** Overwrites what `changes` names; the rest stays. */
  modify(transaction: Transaction, changes: ChangedSettings, now: number): Transaction {
    const settings = { ...transaction.settings, ...present(changes) };
    const modified = withSettings(transaction, settings, now);
    this.#byId.set(modified.id, modified);
    return modified;
  }

  delete(id: number): void {
    this.#byId.delete(id);
  }
}

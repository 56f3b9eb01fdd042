import type { AccountData } from '../domain/account.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { Outages } from '../windows/outages.ts';
import type { CheckTotals, StateTotals } from './items/totals.ts';

/** Totals that are to replace the former ones; null for those of an item that is gone. */
export interface TotalsChange {
  readonly checks?: ReadonlyMap<number, CheckTotals | null>;
  readonly transactions?: ReadonlyMap<number, StateTotals | null>;
  readonly alerts?: EventTally;
  readonly outages?: AccountOutageChange;
  /** Durable before anything is counted by it. */
  readonly maintenance?: NonNullable<AccountData['maintenance']>;
}

export interface AccountOutageChange {
  readonly checks?: Outages;
  readonly transactions?: Outages;
}

/** Keeps totals across restarts. Resolves when they are durable, rejects when they are not. */
export type Persist = (change: TotalsChange) => Promise<void>;

export interface CommitQueueOptions {
  readonly persist: Persist;
  readonly apply: (change: TotalsChange) => void;
}

type Compute = () => TotalsChange | Promise<TotalsChange>;

interface Waiting {
  readonly compute: Compute;
  /** The one check whose totals it reads and changes; absent for a change of more. */
  readonly checkId: number | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The one way in which totals change: one change after the other, each computed from the totals that the
 * one before has left, made durable, and only then shown. So a crash takes back nothing that was seen.
 * Changes of single checks that wait at the same time are made durable together.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  #isCommitting = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /**
   * `compute` may take its time: the totals stay as they are meanwhile. Rejects when the change cannot be
   * made durable; then the totals are as before.
   */
  commit(compute: Compute, checkId?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ compute, checkId, resolve, reject });
      if (!this.#isCommitting) void this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    while (this.#waiting.length > 0) await this.#commitTogether(this.#nextTogether());
    this.#isCommitting = false;
  }

  /** The next change, and those behind it that read nothing that the others change. */
  #nextTogether(): Waiting[] {
    const checkIds = new Set<number>();
    const end = this.#waiting.findIndex(({ checkId }) => {
      if (checkId === undefined || checkIds.has(checkId)) return true;
      checkIds.add(checkId);
      return false;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(1, end));
  }

  async #commitTogether(together: readonly Waiting[]): Promise<void> {
    const computed: { readonly change: TotalsChange; readonly waiting: Waiting }[] = [];
    for (const waiting of together) {
      try {
        computed.push({ change: await waiting.compute(), waiting });
      } catch (error) {
        waiting.reject(error);
      }
    }
    if (computed.length === 0) return;
    try {
      const change = joined(computed.map(({ change }) => change));
      await this.#options.persist(change);
      this.#options.apply(change);
      for (const { waiting } of computed) waiting.resolve();
    } catch (error) {
      for (const { waiting } of computed) waiting.reject(error);
    }
  }
}

/** Several changes are of checks alone. */
function joined(changes: readonly TotalsChange[]): TotalsChange {
  const [only] = changes;
  if (changes.length === 1 && only !== undefined) return only;
  return { checks: new Map(changes.flatMap(({ checks }) => [...(checks ?? [])])) };
}

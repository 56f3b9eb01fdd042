import type { AccountData } from '../domain/account.ts';
import type { Outages } from '../slo/outages.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { CheckTotals, StateTotals } from './items/totals.ts';

/** New totals, which replace the present ones; null deletes those of a removed item. */
export interface TotalsChange {
  readonly checks?: ReadonlyMap<number, CheckTotals | null>;
  readonly transactions?: ReadonlyMap<number, StateTotals | null>;
  readonly alerts?: EventTally;
  readonly outages?: AccountOutageChange;
  /** It must be durable before anything is counted with it. */
  readonly maintenance?: NonNullable<AccountData['maintenance']>;
}

export interface AccountOutageChange {
  readonly checks?: Outages;
  readonly transactions?: Outages;
}

/** Stores totals. Resolves when they are durable, rejects when they cannot be stored. */
export type StoreTotals = (change: TotalsChange) => Promise<void>;

export interface CommitQueueOptions {
  readonly persist: StoreTotals;
  readonly apply: (change: TotalsChange) => void;
}

type Compute = () => TotalsChange | Promise<TotalsChange>;

interface Waiting {
  readonly compute: Compute;
  /** The only check whose totals it reads and changes; absent when it may change more. */
  readonly checkId: number | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * All changes of totals pass this queue. Each change is computed from the totals of the change before it, made durable,
 * and only then shown. So a crash never takes back a value that was shown. Changes of different single checks that wait
 * at the same time are made durable together. A list goes before them: on a slow disk, the outages that it shows wait for one
 * commit at most.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  #isCommitting = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** The totals do not change while `compute` runs. Rejects without any change when it cannot be made durable. */
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

  /** The next change of more than one check; without one, the first change of each check. */
  #nextTogether(): Waiting[] {
    const whole = this.#waiting.findIndex(({ checkId }) => checkId === undefined);
    if (whole >= 0) return this.#waiting.splice(whole, 1);
    const together = new Map<number | undefined, Waiting>();
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (together.has(waiting.checkId)) later.push(waiting);
      else together.set(waiting.checkId, waiting);
    }
    this.#waiting = later;
    return [...together.values()];
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

/** Only changes of single checks are joined. */
function joined(changes: readonly TotalsChange[]): TotalsChange {
  const [only] = changes;
  if (changes.length === 1 && only !== undefined) return only;
  return { checks: new Map(changes.flatMap(({ checks }) => [...(checks ?? [])])) };
}

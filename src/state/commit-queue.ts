import type { AccountData } from '../domain/account.ts';
import type { Sleeper } from '../lib/clock.ts';
import type { Outages } from '../slo/outages.ts';
import type { DocumentChanges } from '../store/format/document-set.ts';
import type { ItemKind } from '../store/store.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { CheckTotals, StateTotals } from './items/totals.ts';

/** New totals, which replace the present ones; null deletes the totals of a removed item. */
export interface TotalsChange {
  readonly checks?: ReadonlyMap<number, CheckTotals | null>;
  readonly transactions?: ReadonlyMap<number, StateTotals | null>;
  readonly alerts?: EventTally;
  readonly outages?: AccountOutageChange;
  /** Maintenance must be durable before states are counted with it. */
  readonly maintenance?: NonNullable<AccountData['maintenance']>;
  /** Further documents that are stored in the same commit. */
  readonly documents?: DocumentChanges;
  /** These are all totals of the account, which begin again at 0. */
  readonly beginsAgain?: true;
}

export type AccountOutageChange = { readonly [K in ItemKind]?: Outages };

/** Stores totals. Resolves when they are durable, and rejects if they cannot be stored. */
export type StoreTotals = (change: TotalsChange) => Promise<void>;

interface CommitQueueOptions {
  readonly storeTotals: StoreTotals;
  readonly apply: (change: TotalsChange) => void;
  /** Called with a change that could not be stored, before its `commit` rejects. */
  readonly notStored: (change: TotalsChange) => void;
  readonly clock: Sleeper;
}

/** Responses that arrive within this time are one commit. Each commit costs about as much CPU. */
const gatherMilliseconds = 250;

type Compute = () => TotalsChange | Promise<TotalsChange>;

interface Waiting {
  readonly compute: Compute;
  /** The only check whose totals `compute` reads and changes; absent if it may change more. */
  readonly checkId: number | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Every change of totals goes through this queue. A change is computed from the totals of the
 * preceding change, made durable, and only then shown. So a crash never takes back a value that was
 * shown. Changes of different single checks that arrive in one moment, or wait, are committed
 * together. The change of a list does not wait for them, and is committed before them: on a slow
 * disk, the outages that it shows wait for at most one commit.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  #isCommitting = false;
  #gathering: AbortController | undefined;
  #gathers = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** While true, between a start and a stop, the changes of single checks wait for others. */
  set gathers(gathers: boolean) {
    this.#gathers = gathers;
    if (!gathers) this.#gathering?.abort();
  }

  /** Adds a change. Totals do not change while `compute` runs. Rejects if it cannot be stored. */
  commit(compute: Compute, checkId?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ compute, checkId, resolve, reject });
      if (checkId === undefined) this.#gathering?.abort();
      if (!this.#isCommitting) void this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    while (this.#waiting.length > 0) {
      if (this.#gathers && !this.#hasUrgent) await this.#gather();
      await this.#commitTogether(this.#nextTogether());
    }
    this.#isCommitting = false;
  }

  get #hasUrgent(): boolean {
    return this.#waiting.some(({ checkId }) => checkId === undefined);
  }

  /** Waits for further changes of single checks, or for another change. */
  async #gather(): Promise<void> {
    this.#gathering = new AbortController();
    const { signal } = this.#gathering;
    await this.#options.clock.sleep(gatherMilliseconds, signal).catch(() => undefined);
    this.#gathering = undefined;
  }

  /** Takes the next change of several checks or, if there is none, the first of each check. */
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
    const change = joined(computed.map(({ change }) => change));
    try {
      await this.#options.storeTotals(change);
      this.#options.apply(change);
      for (const { waiting } of computed) waiting.resolve();
    } catch (error) {
      this.#options.notStored(change);
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

import { EncodedStore } from '../../src/store/encoded-store.ts';
import { MemoryBackend, MemoryRows } from '../../src/store/memory-store.ts';
import type { Commit, CommitOutcome, Opening } from '../../src/store/record-backend.ts';
import { StoreAround } from './store-around.ts';

const owner = 'this process';

/** A store in memory that can be copied, and restored from a copy. */
export class CopiedStore extends StoreAround {
  #rows: MemoryRows;
  #store: EncodedStore;

  constructor(id: string) {
    super();
    this.#rows = new MemoryRows(id);
    this.#store = new EncodedStore(new MemoryBackend(this.#rows, owner));
  }

  get store(): EncodedStore {
    return this.#store;
  }

  /** All rows as they are now. */
  copy(): MemoryRows {
    return copyOf(this.#rows, this.#rows.id);
  }

  /** From now on the store has the rows of a copy, and says of each account that it is one. */
  restore(copy: MemoryRows): void {
    // A restored store has another id.
    this.#rows = copyOf(copy, [...copy.id].reverse().join(''));
    this.#store = new EncodedStore(new RestoredBackend(this.#rows, owner));
  }
}

/** Its rows may be older than the totals already shown, until counters begin again. */
class RestoredBackend extends MemoryBackend {
  readonly #current = new Set<string>();

  override async open(account: string): Promise<Opening> {
    const opening = await super.open(account);
    const isPast = opening.kind === 'owned' && !this.#current.has(account);
    return isPast ? { ...opening, past: 'it is a backup' } : opening;
  }

  override async commit(commit: Commit): Promise<CommitOutcome> {
    const outcome = await super.commit(commit);
    if (outcome.kind === 'stored' && commit.beginsAgain) this.#current.add(commit.account);
    return outcome;
  }
}

/** Bodies of rows are written once, so that they can be shared. */
function copyOf({ accounts }: MemoryRows, id: string): MemoryRows {
  const copy = new MemoryRows(id);
  for (const [account, rows] of accounts) copy.accounts.set(account, new Map(rows));
  return copy;
}

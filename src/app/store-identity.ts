import { randomBytes } from 'node:crypto';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type AccountStore, exporterAccount } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/** A random id in the store: two exporters with different ids do not share a store. */
export class StoreIdentity {
  readonly #store: AccountStore;
  #id: string | undefined;

  /** `sharedId` is the id of a store that several processes share. */
  constructor(store: AccountStore, sharedId?: string) {
    this.#store = store;
    this.#id = sharedId;
  }

  /** Undefined before `restore`. */
  get id(): string | undefined {
    return this.#id;
  }

  async restore(): Promise<void> {
    if (this.#id !== undefined) return;
    const { documents } = await this.#store.load(exporterAccount);
    const stored = documents.get('store');
    const id = stored?.id ?? randomBytes(8).toString('hex');
    this.#id = id;
    if (stored !== undefined) return;
    try {
      const documents: DocumentChanges = new DocumentSet();
      await this.#store.commit({
        account: exporterAccount,
        documents: documents.set('store', { id }),
      });
    } catch (error) {
      // The store logs its own failures. The next start chooses another id.
      if (!(error instanceof StoreError)) throw error;
    }
  }
}

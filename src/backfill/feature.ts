import type { JobRefreshes } from '../datasets/index.ts';
import type { JobDataset } from '../domain/dataset.ts';
import type { AccountFeature, AccountParts, Feature } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { ItemKind } from '../store/store.ts';
import { backfillJson, backfillRoutes } from './http/handlers.ts';
import { backfillNote } from './http/note.tsx';
import { AccountBackfill } from './job/account-backfill.ts';
import { BackfillControl } from './job/control.ts';
import { readBackfill } from './job/documents.ts';
import { refreshBackfill } from './job/refresh.ts';

const dataset: JobDataset = 'backfill';

/** The backfill of one account. */
class BackfillFeature implements AccountFeature {
  readonly name = dataset;
  readonly jobs: JobRefreshes;
  readonly #account: string;
  readonly #log: Log;
  readonly #backfill: AccountBackfill;
  readonly control: BackfillControl;

  constructor({ isEnabled, ...parts }: AccountParts) {
    const { account, state, service, serviceClock, log } = parts;
    this.#account = account;
    this.#log = log;
    const nowSeconds = () => unixSeconds(serviceClock);
    const backfill = new AccountBackfill({ ...parts, items: state, nowSeconds });
    this.#backfill = backfill;
    this.control = new BackfillControl({ ...parts, backfill, isEnabled: isEnabled(dataset) });
    const refresh = refreshBackfill({
      ...{ service, state, backfill, clock: serviceClock },
      onIncomplete: (kind, id, unreadable) => {
        const fields = { account, dataset, kind, id, unreadable };
        log.warn(fields, 'backfill report incomplete; its readable entries are used');
      },
    });
    this.jobs = { [dataset]: refresh };
  }

  listed(kind: ItemKind, added: Iterable<number>): void {
    this.#backfill.listed(kind, added);
  }

  refreshed(): void {
    this.control.refreshed();
  }

  restore(documents: DocumentSet): void {
    const onDropped = (document: string) =>
      this.#log.error(
        { account: this.#account, document },
        'backfill document unreadable; its data are read again',
      );
    this.#backfill.restore(readBackfill(documents, onDropped));
    this.control.restored();
  }

  takeChanges(): DocumentChanges {
    return this.#backfill.takeChanges();
  }

  notStored(): void {
    this.#backfill.notStored();
  }

  json() {
    return this.control.view && backfillJson(this.control.view);
  }

  note(nowSeconds: number) {
    return this.control.view && backfillNote(this.control.view, nowSeconds);
  }
}

/** History from before the first day, for the list of optional features. */
export const backfillFeature: Feature = {
  ofAccount: (parts) => new BackfillFeature(parts),
  routes: ({ shown, ...others }) =>
    backfillRoutes({
      ...others,
      controls: () =>
        shown().flatMap((feature) => (feature instanceof BackfillFeature ? feature.control : [])),
    }),
};

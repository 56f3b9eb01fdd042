import type { DeeperPasts } from '../datasets/history.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { AccountFeature, AccountParts, Feature, FinishedPasts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { ItemKind } from '../store/store.ts';
import { backfillJson, backfillRoutes } from './http/handlers.ts';
import { backfillNote } from './http/note.tsx';
import { BackfillJob } from './job/backfill-job.ts';
import { BackfillControl } from './job/control.ts';
import { readBackfill } from './job/documents.ts';
import { FirstSeen } from './job/first-seen.ts';
import { readBackfillItem } from './job/refresh.ts';

/** The backfill of one account. */
class BackfillFeature implements AccountFeature {
  readonly name = 'backfill';
  readonly pasts: DeeperPasts;
  readonly control: BackfillControl;
  readonly #parts: AccountParts;
  readonly #firstSeen: FirstSeen;
  readonly #job: BackfillJob;

  constructor(parts: AccountParts) {
    const { account, state, service, serviceClock, policies, storeDocuments, log } = parts;
    const nowSeconds = () => unixSeconds(serviceClock);
    const firstSeen = new FirstSeen(state, policies);
    const job = new BackfillJob({ firstSeen, storeDocuments, nowSeconds });
    this.#parts = parts;
    this.#firstSeen = firstSeen;
    this.#job = job;
    this.control = new BackfillControl({ ...parts, firstSeen, job });
    const read = readBackfillItem({
      service,
      state,
      job,
      clock: serviceClock,
      onIncomplete: (kind, id, unreadable) => {
        const fields = { account, dataset: 'history', kind, id, unreadable };
        log.warn(fields, 'backfill report incomplete; its readable entries are used');
      },
    });
    this.pasts = { items: job, read };
  }

  get finishedPasts(): FinishedPasts | undefined {
    return this.control.finishedPasts;
  }

  arrived(kind: ItemKind, ids: Iterable<number>): void {
    this.#firstSeen.arrived(kind, ids);
  }

  left(): void {}

  forgotten(kind: ItemKind, ids: Iterable<number>): void {
    this.#firstSeen.forget(kind, ids);
  }

  relabelled(): void {}

  refreshed({ dataset }: { readonly dataset: DatasetName }): void {
    if (dataset === 'checks' || dataset === 'transactions') this.#job.update();
    this.control.refreshed();
  }

  restore(documents: DocumentSet): void {
    const { account, log } = this.#parts;
    const { firstSeen, ...stored } = readBackfill(documents, (document) => {
      const fields = { account, document };
      log.error(fields, 'backfill document unreadable; its data are read again');
    });
    this.#firstSeen.restore(firstSeen);
    this.#job.restore(stored);
    this.control.restored();
  }

  takeChanges(): DocumentChanges {
    return this.#firstSeen.takeChanges();
  }

  notStored(): void {
    this.#firstSeen.notStored();
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

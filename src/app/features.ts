import type { MonitoringService } from '../api/service.ts';
import { backfillFeature } from '../backfill/feature.ts';
import type { JobRefreshes } from '../datasets/index.ts';
import type { JobDataset } from '../domain/dataset.ts';
import type { FeatureView, Route, StatusSource } from '../http/ports.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { OpenedStorage, SharedStorageOptions } from '../ownership.ts';
import type { DemandSize } from '../schedule/demand.ts';
import type { Plan } from '../schedule/plan.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Policies } from '../state/standing/policies.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { AccountListener } from './account-events.ts';

/** The parts of a running account that its features use. */
export interface AccountParts {
  readonly account: string;
  readonly state: AccountState;
  readonly service: MonitoringService;
  readonly serviceClock: Pick<Clock, 'now' | 'monotonic'>;
  readonly policies: Policies;
  /** Resolves when the documents are durable. */
  readonly storeDocuments: (documents: DocumentChanges) => Promise<void>;
  /** Whether the configuration enables a dataset. */
  readonly isEnabled: (dataset: JobDataset) => boolean;
  /** The plan for an account of another size, at the current budget. */
  readonly planFor: (size: DemandSize) => Plan;
  /** Seconds until first sight is complete; undefined if unknown. */
  readonly firstSightSeconds: () => number | undefined;
  readonly log: Log;
}

/** An optional feature of one account. It hears of the account's events. */
export interface AccountFeature extends AccountListener, FeatureView {
  /** The refreshes of its datasets. */
  readonly jobs: JobRefreshes;
  /** Continues from the stored documents. Called after the state is restored. */
  restore(documents: DocumentSet): void;
  /** Returns the changes since it was called last, which are stored with the state. */
  takeChanges(): DocumentChanges;
  /** The changes could not be stored, or may not have been: they are taken again. */
  notStored(): void;
}

interface RouteParts {
  /** The features of the accounts that may be shown at this moment. */
  readonly shown: () => readonly AccountFeature[];
  readonly status: Pick<StatusSource, 'replicas'>;
  readonly clock: Pick<Clock, 'now'>;
}

type OpenSharedStorage = ((options: SharedStorageOptions) => Promise<OpenedStorage>) | undefined;

/**
 * A feature that most users never need. The rest of the program knows it only by its line in this
 * list, and by that of its command in `src/cli/run.ts`.
 */
interface Feature {
  ofAccount(parts: AccountParts): AccountFeature;
  routes(parts: RouteParts): readonly Route[];
}

export const features: readonly Feature[] = [backfillFeature];

/** Opens a store that several processes share. Its modules are loaded only if it is used. */
export const sharedStorage: OpenSharedStorage = async (options) => {
  const { openSharedStorage } = await import('../replicas/open-shared-storage.ts');
  return await openSharedStorage(options);
};

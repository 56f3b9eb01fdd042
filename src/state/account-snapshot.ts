import type { ApiVersion } from '../domain/api-version.ts';
import type { Check } from '../domain/check.ts';
import type { Credits } from '../domain/credits.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { DatasetStatus } from './dataset-status.ts';

/**
 * All that is known of one account at one moment; immutable. Data that are stale are withdrawn, that
 * is absent. A check that did not change from one snapshot to the next is the same object in both.
 */
export interface AccountSnapshot {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** The last refresh of the check list worked and is not stale. */
  readonly up: boolean;
  /** Ordered by id, each id once. */
  readonly checks?: readonly Check[];
  readonly credits?: Credits;
  readonly datasets: { readonly [D in DatasetName]: DatasetStatus };
}

import type { ApiVersion } from './version.ts';

/** The kinds of data of an account. Each is refreshed on its own, at its own interval. */
export const datasetNames = [
  'checks',
  'transactions',
  'outages',
  'history',
  'results',
  'performance',
  'average',
  'hours_of_day',
  'transaction_performance',
  'detail',
  'analyses',
  'active_probes',
  'credits',
  'maintenance',
  'actions',
  'probes',
  'contacts',
  'teams',
  'account',
] as const;
export type DatasetName = (typeof datasetNames)[number];

/** Why an item is refreshed: the status of everything, an event that asks for it, or its place in the queue. */
export const refreshClasses = ['status', 'event', 'background'] as const;
export type RefreshClass = (typeof refreshClasses)[number];

/** How the scheduler treats one dataset. */
export interface DatasetPolicy {
  /** What one refresh covers, and so how many items the dataset has. */
  readonly scope: 'account' | 'check' | 'transaction';
  /** `status` is planned first, at its floor; `event` is requested by events, and otherwise refreshed rarely. */
  readonly refreshClass: RefreshClass;
  /** Requests per refresh of one item. */
  readonly cost: number;
  /** The shortest sensible interval. */
  readonly floorSeconds: number;
  /** Above this interval the dataset is of little use; Infinity for one that is driven by events. */
  readonly ceilingSeconds: number;
  /** The weight of one second of age of one item, relative to other datasets. */
  readonly weight: number;
  /** The data serve every check, so their weight grows with the number of checks. */
  readonly weighsPerCheck: boolean;
  /** A refresh that an event requests is on time within this; of two requests the earlier deadline goes first. */
  readonly patienceSeconds: number;
  /** Each item is refreshed once: ahead of the background, after all events, and leaving them half of their burst. */
  readonly isOnce: boolean;
  readonly enabledByDefault: boolean;
  /** The API versions that have the dataset. */
  readonly versions: readonly ApiVersion[];
}

export type DatasetPolicies = { readonly [D in DatasetName]: DatasetPolicy };

/** What a refresh of a dataset is about: one check or transaction, by its id, or the account as a whole. */
export type ItemId = number | 'account';

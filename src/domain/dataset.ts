/** The kinds of data of an account that are refreshed on their own, each at its own pace. */
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

import type { DatasetName } from '../domain/dataset.ts';

/**
 * How often each dataset is refreshed. The check list follows the service's finest resolution of one
 * minute (API 3.1, section 2.1); credits change with purchases, not with tests.
 */
export const intervalSeconds: { readonly [D in DatasetName]: number } = {
  checks: 60,
  credits: 900,
};

import { backfillFeature } from '../backfill/feature.ts';
import type { Feature } from '../feature.ts';
import { monthsFeature } from '../months/feature.ts';
import type { OpenedStorage, SharedStorageOptions } from '../ownership.ts';

/** The optional features. */
export const features: readonly Feature[] = [backfillFeature, monthsFeature];

type OpenSharedStorage = ((options: SharedStorageOptions) => Promise<OpenedStorage>) | undefined;

/** Opens a store that several processes share. Its modules are loaded only if it is used. */
export const sharedStorage: OpenSharedStorage = async (options) => {
  const { openSharedStorage } = await import('../replicas/open-shared-storage.ts');
  return await openSharedStorage(options);
};

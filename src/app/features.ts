import { backfillFeature } from '../backfill/feature.ts';
import type { Feature } from '../feature.ts';
import { monthsFeature } from '../months/feature.ts';
import type { OpenedStorage, SharedStorageOptions } from '../ownership.ts';

/** The optional features. */
export const features: readonly Feature[] = [backfillFeature, monthsFeature];

/** Opens a store that several processes share. Its modules are loaded only if it is used. */
export async function sharedStorage(options: SharedStorageOptions): Promise<OpenedStorage> {
  const { openSharedStorage } = await import('../replicas/open-shared-storage.ts');
  return await openSharedStorage(options);
}

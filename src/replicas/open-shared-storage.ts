import { present } from '../lib/present.ts';
import type { OpenedStorage, OwnershipParts, SharedStorageOptions } from '../ownership.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { SharedAccounts } from './shared-accounts.ts';

/** Opens a database whose accounts several processes share. Rejects with a `StoreError`. */
export async function openSharedStorage({
  externalUrl: views,
  password,
  ca,
  ...options
}: SharedStorageOptions): Promise<OpenedStorage> {
  const { store, leases, database } = await openPostgresStore({
    ...options,
    ...present({ views, password, ca }),
  });
  const sharing = {
    leases,
    database,
    release: (account: string) => store.release(account),
    abandon: (account: string) => store.abandon(account),
  };
  const owner = (parts: OwnershipParts) => new SharedAccounts({ ...parts, sharing });
  return { store, sharing: { owner } };
}

import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { SharedAccounts, type SharedAccountsParts } from './shared-accounts.ts';

interface SharedStorageOptions {
  /** `databaseUrlProblem` accepts it. */
  readonly url: string;
  /** The name of this process, as text for people. */
  readonly owner: string;
  readonly leaseTtlSeconds: number;
  readonly synchronousStandby: boolean;
  readonly externalUrl?: string | undefined;
  readonly password?: (() => string) | undefined;
  readonly ca?: (() => string) | undefined;
  readonly clock: Clock;
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/** Opens a database whose accounts several processes share. Rejects with a `StoreError`. */
export async function openSharedStorage({
  externalUrl: views,
  password,
  ca,
  ...options
}: SharedStorageOptions) {
  const { store, leases, database, storeId } = await openPostgresStore({
    ...options,
    ...present({ views, password, ca }),
  });
  const sharing = {
    leases,
    database,
    release: (account: string) => store.release(account),
    abandon: (account: string) => store.abandon(account),
  };
  const owner = (parts: SharedAccountsParts) => new SharedAccounts({ ...parts, sharing });
  return { store, sharing: { storeId, owner } };
}

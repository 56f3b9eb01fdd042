import { systemClock } from '../../../src/lib/clock.ts';
import {
  type OpenPostgresStoreOptions,
  openPostgresStore,
  type SharedStore,
} from '../../../src/store/postgres/open-postgres-store.ts';

/** A store of one process, without a keeper that renews its leases. */
export function openPostgres(
  url: string,
  options: Partial<OpenPostgresStoreOptions> = {},
): Promise<SharedStore> {
  return openPostgresStore({
    url,
    owner: 'a test',
    clock: systemClock,
    leaseTtlSeconds: 30,
    ...options,
  });
}

/** Lets the store take all leases, as if their holders had been silent for long enough. */
export async function claimAll({ leases, database }: SharedStore): Promise<void> {
  const beat = { replica: leases.replica, renewals: [], dead: [] };
  for (const lease of (await database.beat(beat)).leases) leases.claim(lease.account, lease);
}

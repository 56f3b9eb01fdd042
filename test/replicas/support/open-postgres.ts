import pg from 'pg';
import { systemClock } from '../../../src/lib/clock.ts';
import {
  type OpenPostgresStoreOptions,
  openPostgresStore,
  type SharedStore,
} from '../../../src/replicas/postgres/open-postgres-store.ts';

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

/** Releases all leases, as if those of killed processes had expired. */
export async function releaseAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      'UPDATE uptime_exporter.leases SET is_released = true, transaction = pg_current_xact_id()',
    );
  } catch (error) {
    // The process was killed before it had created the tables.
    const undefinedTable = '42P01';
    if (!(error instanceof pg.DatabaseError && error.code === undefinedTable)) throw error;
  } finally {
    await client.end();
  }
}

/** Lets the store take all leases, as if their holders had been silent long enough. */
export async function claimAll({ leases, database }: SharedStore): Promise<void> {
  const beat = { replica: leases.replica, renewals: [], dead: [] };
  for (const lease of (await database.beat(beat)).leases) leases.claim(lease.account, lease);
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { databaseAddress } from '../../lib/database-address.ts';
import { present } from '../../lib/present.ts';
import type { Workload } from '../../lib/workload.ts';
import { EncodedStore } from '../../store/encoded-store.ts';
import { HeldLeases } from '../leases/held-leases.ts';
import { type LeaseDatabase, leaseTimes } from '../leases/lease.ts';
import { PostgresBackend } from './postgres-backend.ts';
import { PostgresLeases } from './postgres-leases.ts';

export interface OpenPostgresStoreOptions {
  /** `databaseUrlProblem` accepts it. */
  readonly url: string;
  readonly password?: () => string;
  readonly ca?: () => string;
  /** The name of this process, as text for people. */
  readonly owner: string;
  /** The address of the views of this process. */
  readonly views?: string;
  readonly clock: Clock;
  readonly leaseTtlSeconds: number;
  /** See `PostgresOptions`. */
  readonly synchronousStandby?: boolean;
  readonly workload?: Workload | undefined;
}

/** A store whose accounts several processes share. Each owns those of which it has the lease. */
export interface SharedStore {
  readonly store: EncodedStore;
  readonly leases: HeldLeases;
  readonly database: LeaseDatabase;
}

/** Rejects with a `StoreError`: `refused`, `unwritable` or `full`. */
export async function openPostgresStore({
  url,
  owner,
  views,
  leaseTtlSeconds,
  synchronousStandby = false,
  workload,
  ...options
}: OpenPostgresStoreOptions): Promise<SharedStore> {
  const address = databaseAddress(url);
  const token = () => randomUUID();
  const leases = new HeldLeases({
    replica: { id: token(), name: owner, ...present({ url: views }) },
    times: leaseTimes(leaseTtlSeconds),
    clock: options.clock,
  });
  const connection = { address, leases, synchronousStandby, ...options };
  const backend = await PostgresBackend.connect(connection);
  const committing = () => backend.sessionKey;
  return {
    store: new EncodedStore(backend, workload),
    leases,
    database: new PostgresLeases({ ...connection, committing, token }),
  };
}

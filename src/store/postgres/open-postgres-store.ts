import type { Clock } from '../../lib/clock.ts';
import { databaseAddress } from '../../lib/database-address.ts';
import { EncodedStore } from '../encoded-store.ts';
import { currentFormat, type StoreFormat } from '../format/migrations.ts';
import { PostgresBackend } from './postgres-backend.ts';

export interface OpenPostgresStoreOptions {
  /** The address of the database; `databaseUrlProblem` has checked it. */
  readonly url: string;
  readonly password?: () => string;
  readonly ca?: () => string;
  /** The name of this process, as text for people. */
  readonly owner: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The current format by default; tests set another one. */
  readonly format?: StoreFormat;
}

/** Rejects with a `StoreError`: `locked`, `refused`, `unwritable` or `full`. */
export async function openPostgresStore({
  url,
  format = currentFormat,
  ...options
}: OpenPostgresStoreOptions): Promise<EncodedStore> {
  const address = databaseAddress(url);
  return new EncodedStore(
    await PostgresBackend.connect({ address, format, ...options }),
    format.version,
  );
}

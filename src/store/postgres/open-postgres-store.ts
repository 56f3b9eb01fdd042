import type { Clock } from '../../lib/clock.ts';
import { databaseAddress } from '../../lib/database-address.ts';
import { EncodedStore } from '../encoded-store.ts';
import { currentFormat, type StoreFormat } from '../format/migrations.ts';
import { PostgresBackend } from './postgres-backend.ts';

export interface OpenPostgresStoreOptions {
  /** As `databaseUrlProblem` allows it. */
  readonly url: string;
  readonly password?: () => string;
  readonly ca?: () => string;
  /** Names this process, for a person. */
  readonly owner: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The present one, unless a test says otherwise. */
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

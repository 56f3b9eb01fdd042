import { messageOf } from '../../lib/error-text.ts';
import { StoreError } from '../store-error.ts';

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `the database is corrupt: ${messageOf(error)}`, {
    cause: error,
  });
}

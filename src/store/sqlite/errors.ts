import { StoreError } from '../store-error.ts';

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `the database is corrupt: ${messageOf(error)}`, {
    cause: error,
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

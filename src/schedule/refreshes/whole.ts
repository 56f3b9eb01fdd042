import { ApiError } from '../../api/errors.ts';
import type { RejectedEntry } from '../../api/service.ts';

/** False when the list has an entry that could not be read: it may be any of the items that seem to be gone. */
export function isWhole(rejected: readonly RejectedEntry[]): boolean {
  return rejected.every(({ reason }) => reason !== 'shape');
}

/** A state that is left out would be booked as time in which nothing was monitored. Throws an `ApiError`. */
export function requireWhole(operation: string, [rejected]: readonly RejectedEntry[]): void {
  if (rejected === undefined) return;
  const message = `a state of the report was left out (${rejected.reason}: ${rejected.detail})`;
  throw new ApiError({ reason: 'shape', operation, message });
}

/**
 * - `locked`: another process uses the store; stop it, or give this one another path.
 * - `unwritable`: the path cannot be created or written; mend its owner, mode or mount.
 * - `full`: the disk is full or fails to write; the commit may be tried again.
 * - `refused`: what lies in the folder is not for this version of the program; the message says what to do.
 * - `invalid`: what was to be stored breaks an invariant, so that nothing of it is stored: a bug.
 * - `closed`: the caller has closed the store.
 */
export const storeErrorReasons = [
  'locked',
  'unwritable',
  'full',
  'refused',
  'invalid',
  'closed',
] as const;
export type StoreErrorReason = (typeof storeErrorReasons)[number];

export class StoreError extends Error {
  override readonly name = 'StoreError' as const;
  readonly reason: StoreErrorReason;

  constructor(reason: StoreErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

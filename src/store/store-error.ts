/**
 * - `locked`: another process uses the store; stop it, or give this one another path.
 * - `fenced`: another process owns the account.
 * - `unwritable`: the path cannot be created or written; correct its owner, mode or mount.
 * - `full`: the disk is full or fails to write; the commit may be tried again.
 * - `unknown`: the commit is stored or not, which the next one finds out.
 * - `refused`: the content of the folder is not for this version of the program; the message says what to do.
 * - `invalid`: the changes break an invariant, so that nothing of them is stored: a bug.
 * - `closed`: the caller has closed the store.
 */
export const storeErrorReasons = [
  'locked',
  'fenced',
  'unwritable',
  'full',
  'unknown',
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

/**
 * - `locked`: another process uses the store; stop it, or give this one another path.
 * - `fenced`: another process owns the account.
 * - `unwritable`: the store cannot be created, read or written; the message has the cause.
 * - `full`: the disk is full or a write failed; the commit may be tried again.
 * - `unknown`: the commit may be stored or not; the next commit reads the account first.
 * - `refused`: the folder has data of another program or version, or is on a network file system;
 *   the message has the remedy.
 * - `invalid`: the changes break an invariant, so nothing was stored; this is a bug.
 * - `closed`: the caller has closed the store, or stopped the account.
 */
const storeErrorReasons = [
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

/** The server of the store could not be reached, so no account can be stored. */
export class UnreachableError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super('unwritable', message, options);
  }
}

/** The program was called or configured incorrectly. Printed without a stack trace; exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}

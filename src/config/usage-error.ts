/** A mistake in how the program was called or configured: shown without a stack, exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}

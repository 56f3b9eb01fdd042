/** What is on the disk cannot be used, and never will be. The message says why, for a person. */
export class DamagedError extends Error {}

/** Throws a `DamagedError` for whatever `read` throws. */
export function undamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedError ? error : unreadable(error);
  }
}

export function unreadable(error: unknown): DamagedError {
  const why = error instanceof Error ? error.message : String(error);
  return new DamagedError(`it cannot be read: ${why}`, { cause: error });
}

/** Returns the result, or undefined if the function throws. */
export function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Returns whether the function ends without an error. */
export function succeeds(action: () => unknown): boolean {
  return orUndefined(() => [action()]) !== undefined;
}

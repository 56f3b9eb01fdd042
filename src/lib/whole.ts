declare const isWhole: unique symbol;

/**
 * A whole number. The service rejects requests whose times have fractions, so numbers that are sent
 * to it, and watermarks from which requests are derived, have this type.
 */
export type Whole = number & { readonly [isWhole]: true };

/** The only constructor: it removes the fraction. */
export function whole(value: number): Whole {
  return Math.floor(value) as Whole;
}

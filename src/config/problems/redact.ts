/** Text that no secret looks like: a short lower-case word, or a number of few digits with its unit. */
const safePattern = /^(?:[a-z]{0,8}|-?\d{1,5}(?:\.\d{1,3})?(?:%|[a-zA-Z]{0,3}))$/;

/**
 * A value as a message may repeat it: it may be a secret that stands in the wrong place, so that text is
 * told by its kind unless it is harmless.
 */
export function redactValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return redactList(value);
  if (typeof value === 'object') return 'a mapping';
  return isSafe(value) ? JSON.stringify(value) : describeKind(value);
}

/** What a value is, and nothing of what it says. */
export function describeKind(value: unknown): string {
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

function redactList(values: readonly unknown[]): string {
  if (values.length === 0) return 'an empty list';
  return values.length <= 10 && values.every(isSafe) ? JSON.stringify(values) : 'a list';
}

function isSafe(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  return (typeof value === 'string' || typeof value === 'number') && safePattern.test(`${value}`);
}

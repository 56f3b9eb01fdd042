/** Text that cannot be a secret: a short lower-case word, or a short number with a unit. */
const safePattern = /^(?:[a-z]{0,8}|-?\d{1,5}(?:[.,]\d{1,4})? ?(?:%|[a-zA-Z]{0,3}))$/;
/** Where one of some words is expected, a secret has a digit or is longer. */
const wordPattern = /^[a-zA-Z][a-zA-Z_/ -]{0,23}$/;

/** Describes a value that is to be one of some words, or the name of something. */
export function redactWord(value: unknown): string {
  const isWord = typeof value === 'string' && wordPattern.test(value);
  return isWord ? JSON.stringify(value) : redactValue(value);
}

/** Describes a value, quoted only if it is safe: it may be a misplaced secret. */
export function redactValue(value: unknown): string {
  const isQuoted = Array.isArray(value) ? isShortList(value) : isSafe(value);
  return isQuoted ? JSON.stringify(value) : describeKind(value);
}

/** The type of a value, in words. */
export function describeKind(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `a ${typeof value}`;
  return /\p{Cc}/u.test(value) ? 'a text with a line break or another control character' : 'a text';
}

function isShortList(values: readonly unknown[]): boolean {
  return values.length > 0 && values.length <= 10 && values.every(isSafe);
}

function isSafe(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  return (typeof value === 'string' || typeof value === 'number') && safePattern.test(`${value}`);
}

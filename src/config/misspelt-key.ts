import { nearest } from './nearest.ts';

/**
 * What is wrong with a key that is not allowed, as the start of a sentence. In a flow mapping a secret
 * may become part of a key (`{token:abc}`) or one itself (`{abc}`), so that a key is repeated only if it
 * is a known one or nearly an allowed one.
 */
export function misspeltKey(
  key: string,
  allowed: readonly string[],
  known: ReadonlySet<string>,
): string {
  const [word = '', rest] = key.split(/[:=\s]/, 2);
  const nearestAllowed = nearest(word, allowed);
  if (rest !== undefined && nearestAllowed === word) {
    return `the key ${word} must end with a colon and a space`;
  }
  const repeated = known.has(word) || (nearestAllowed !== undefined && /^[a-z_-]+$/i.test(word));
  const hint = nearestAllowed === undefined ? '' : `; did you mean "${nearestAllowed}"?`;
  return `unknown key${repeated ? ` "${word}"` : ''}${hint}`;
}

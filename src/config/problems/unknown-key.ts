import { didYouMean, nearestWord } from '../../lib/nearest-word.ts';

/**
 * Describes a key that is not allowed. In a flow mapping a secret can become part of a key
 * (`{token:abc}`) or be the key (`{abc}`), so a key is repeated only if it is a known key, or close to an
 * allowed one.
 */
export function describeUnknownKey(
  key: string,
  allowed: readonly string[],
  known: ReadonlySet<string>,
): string {
  const [word = '', rest] = key.split(/[:=\s]/, 2);
  const nearestAllowed = nearestWord(word, allowed);
  if (rest !== undefined && nearestAllowed === word) {
    return `the key ${word} must end with a colon and a space`;
  }
  const repeated = known.has(word) || (nearestAllowed !== undefined && /^[a-z_-]+$/i.test(word));
  return `unknown key${repeated ? ` "${word}"` : ''}${didYouMean(word, allowed)}`;
}

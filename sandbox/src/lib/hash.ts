/**
 * A number in [0, 1) that depends only on its arguments: a hash like 32-bit FNV-1a over the words,
 * with the multipliers and the final mixing of Murmur3. All simulated data are drawn with it.
 */
export function hashUnit(...words: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    const low = word >>> 0;
    const high = Math.floor(word / 2 ** 32) >>> 0;
    hash = Math.imul(hash ^ low, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0x85ebca6b);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0) / 2 ** 32;
}

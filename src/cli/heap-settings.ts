import { setFlagsFromString } from 'node:v8';

/** An account with at least this many checks is large. Most accounts have 20 to 500. */
const manyChecks = 1_000;

/**
 * Small accounts: V8's young generation stays at its initial size of 2 MB, and the heap is
 * collected each time it has grown by a tenth.
 */
const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=0'];
/**
 * Large accounts: the young generation may grow to its limit, which takes 30 MB, and the heap may
 * grow by three tenths, because nearly all of its objects survive a collection. Lists then cost
 * less CPU.
 */
const large = ['--semi-space-growth-factor=2', '--heap-growing-percent=30'];
/** Options of V8 version 13 and later, which Node.js 24 has. */
const smallFrom13 = ['--memory-saver-mode', '--no-maglev'];
const largeFrom13 = ['--no-memory-saver-mode', '--maglev'];

/**
 * Sets up V8's heap for an account of unknown size. The returned function takes the number of
 * checks and must be called regularly, because V8 forgets settings when a thread starts.
 * docs/decisions/0017-heap-growth.md and docs/decisions/0070-small-accounts.md explain them.
 */
export function heapSettings(
  setFlag = setFlagsFromString,
  v8Version = process.versions.v8,
): (checks: number) => void {
  const isFrom13 = Number.parseInt(v8Version, 10) >= 13;
  let isSmall = true;
  const follow = (checks: number) => {
    if (!isSmall) return;
    isSmall = checks < manyChecks;
    const flags = isSmall ? small : large;
    const newFlags = isSmall ? smallFrom13 : largeFrom13;
    for (const flag of isFrom13 ? [...flags, ...newFlags] : flags) setFlag(flag);
  };
  follow(0);
  return follow;
}

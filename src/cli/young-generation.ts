import { setFlagsFromString } from 'node:v8';

/** An account with at least this many checks is large. Most accounts have 20 to 500. */
const manyChecks = 1_000;

/**
 * Keeps V8's young generation at its initial size of 2 MB. The returned function takes the number
 * of checks and must be called regularly, because V8 forgets the setting when a thread starts. With
 * many checks, the young generation may grow to its limit: that takes 30 MB, but lists cost less
 * CPU (docs/decisions/0070-small-accounts.md).
 */
export function youngGeneration(setFlag = setFlagsFromString): (checks: number) => void {
  let isSmall = true;
  const follow = (checks: number) => {
    if (!isSmall) return;
    isSmall = checks < manyChecks;
    setFlag(`--semi-space-growth-factor=${isSmall ? 1 : 2}`);
  };
  follow(0);
  return follow;
}

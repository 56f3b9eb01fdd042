/** The choice that a mistyped word was most likely meant to be; undefined when none is near. */
function closestMatch(word: string, choices: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const choice of choices) {
    const edits = editDistance(word.toLowerCase(), choice);
    if (edits < least) [best, least] = [choice, edits];
  }
  return best;
}

/** Letters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/**
 * What is wrong with a key that is not allowed, as the start of a sentence. In a flow mapping a secret
 * may become part of a key (`{token:abc}`) or one itself (`{abc}`), so that a key is repeated only if it
 * is a known one or nearly an allowed one.
 */
export function describeUnknownKey(
  key: string,
  allowed: readonly string[],
  known: ReadonlySet<string>,
): string {
  const [word = '', rest] = key.split(/[:=\s]/, 2);
  const nearestAllowed = closestMatch(word, allowed);
  if (rest !== undefined && nearestAllowed === word) {
    return `the key ${word} must end with a colon and a space`;
  }
  const repeated = known.has(word) || (nearestAllowed !== undefined && /^[a-z_-]+$/i.test(word));
  const hint = nearestAllowed === undefined ? '' : `; did you mean "${nearestAllowed}"?`;
  return `unknown key${repeated ? ` "${word}"` : ''}${hint}`;
}

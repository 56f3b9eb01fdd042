import { distance } from 'fastest-levenshtein';

/** The likely choice for a mistyped word, with up to a third of its letters wrong. */
export function nearestWord(word: string, choices: readonly string[]): string | undefined {
  let closest: string | undefined;
  let minEdits = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const choice of choices) {
    const edits = distance(word.toLowerCase(), choice.toLowerCase());
    if (edits < minEdits) [closest, minEdits] = [choice, edits];
  }
  return closest;
}

/** The end of a message about an unknown word; empty if no choice is similar. */
export function didYouMean(word: string, choices: readonly string[]): string {
  const nearest = nearestWord(word, choices);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

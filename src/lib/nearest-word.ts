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

/** A choice that is a part of the word, as in `api_version`, or that has it as a part. */
function relatedWord(word: string, choices: readonly string[]): string | undefined {
  const partsOf = (text: string) => text.toLowerCase().split(/[\s_.:-]+/);
  const [parts, whole] = [partsOf(word), word.toLowerCase()];
  return (
    choices.find((choice) => parts.includes(choice.toLowerCase())) ??
    choices.find((choice) => partsOf(choice).includes(whole))
  );
}

/** The end of a message about an unknown word; empty if no choice is similar. */
export function didYouMean(word: string, choices: readonly string[]): string {
  const nearest = nearestWord(word, choices) ?? relatedWord(word, choices);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

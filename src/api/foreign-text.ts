import type { Scrubber } from '../lib/secret.ts';

const longest = 200;

/** Foreign text made fit for one line of a log: without secrets, control characters or great length. */
export function foreignText(text: string, scrubber: Scrubber): string {
  // Scrubbing comes before shortening: a secret cut in two would not be recognised.
  const clean = scrubber
    .scrub(text)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const characters = [...clean];
  return characters.length <= longest ? clean : `${characters.slice(0, longest - 1).join('')}…`;
}

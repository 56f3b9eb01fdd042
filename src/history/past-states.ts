import type { StateSpan, TalliedState } from '../domain/interval.ts';

/** One letter for each state, as they are stored. */
const letters = { up: 'u', down: 'd', unknown: '?', unmonitored: '-' } as const satisfies Record<
  TalliedState,
  string
>;
const states: ReadonlyMap<string, TalliedState> = new Map(
  Object.entries(letters).map(([state, letter]) => [letter, state as TalliedState]),
);

/**
 * The states of an item over a time, without a gap, in a text that is short for a year: each state with its length in
 * seconds, such as `u86400 d120 u3600`.
 */
export function encodeStates(spans: readonly StateSpan[]): string {
  return spans
    .map(({ state, fromSeconds, toSeconds }) => `${letters[state]}${toSeconds - fromSeconds}`)
    .join(' ');
}

/** The spans of an encoded text, from `fromSeconds` on. Throws a `SyntaxError` for another text. */
export function decodeStates(text: string, fromSeconds: number): StateSpan[] {
  let from = fromSeconds;
  return (text === '' ? [] : text.split(' ')).map((part) => {
    const state = states.get(part.slice(0, 1));
    const length = Number(part.slice(1));
    if (state === undefined || !Number.isSafeInteger(length) || length <= 0) {
      throw new SyntaxError(`not a state with its seconds: ${JSON.stringify(part)}`);
    }
    const span = { state, fromSeconds: from, toSeconds: from + length };
    from += length;
    return span;
  });
}

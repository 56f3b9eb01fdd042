import type { StateSpan, TalliedState } from '../../domain/interval.ts';
import { clip } from '../../tally/maintenance-tally.ts';
import type { PastItem } from './past-item.ts';

/** One letter for each stored state. */
const letters = { up: 'u', down: 'd', unknown: '?', unmonitored: '-' } as const satisfies Record<
  TalliedState,
  string
>;
const states: ReadonlyMap<string, TalliedState> = new Map(
  Object.entries(letters).map(([state, letter]) => [letter, state as TalliedState]),
);

/**
 * Encodes the states of an item over a range without gaps. The text is short even for a year: each
 * state with its seconds, such as `u86400 d120 u3600`.
 */
export function encodeStates(spans: readonly StateSpan[]): string {
  return spans
    .map(({ state, fromSeconds, toSeconds }) => `${letters[state]}${toSeconds - fromSeconds}`)
    .join(' ');
}

/** Decodes the spans from `fromSeconds` on. Throws a `SyntaxError` for an invalid text. */
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

type EncodedPast = Readonly<NonNullable<PastItem['past']>>;

/** The part of a past before a time. */
export function pastUntil(past: EncodedPast, toSeconds: number): EncodedPast {
  if (past.toSeconds <= toSeconds) return past;
  const spans = decodeStates(past.states, past.fromSeconds).flatMap((span) =>
    clip([span], past.fromSeconds, toSeconds).map((part) => ({ ...span, ...part })),
  );
  return { ...past, toSeconds, states: encodeStates(spans) };
}

import type { StateSpan } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import { noSeconds } from '../../tally/state-tally.ts';

/** Counters at one moment. They begin at 0 with the past. */
interface CountersAt {
  readonly seconds: SecondsByState;
  readonly outages: number;
}

interface Piece extends StateSpan {
  /** At the start of the piece. */
  readonly before: SecondsByState;
  /** Outages until the start of the piece, inclusive. */
  readonly outages: number;
}

/**
 * The counters of an item at any moment of its past. They follow the rules of the live counters
 * (src/tally/advance.ts): an outage is counted at its start, so an outage that was open when the
 * past began is not counted.
 */
export class PastCounters {
  readonly #pieces: readonly Piece[];
  readonly #end: CountersAt;

  /** The spans are in order and do not overlap. Nothing is counted between them. */
  constructor(spans: readonly StateSpan[]) {
    const pieces: Piece[] = [];
    let seconds = noSeconds;
    let outages = 0;
    let last: StateSpan | undefined;
    for (const span of spans) {
      const { state, fromSeconds, toSeconds } = span;
      const continues = last?.state === 'down' && last.toSeconds === fromSeconds;
      if (state === 'down' && last !== undefined && !continues) outages += 1;
      pieces.push({ ...span, before: seconds, outages });
      seconds = { ...seconds, [state]: seconds[state] + toSeconds - fromSeconds };
      last = span;
    }
    this.#pieces = pieces;
    this.#end = { seconds, outages };
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** The counters at each of these moments: UNIX seconds, in ascending order. */
  at(moments: readonly number[]): CountersAt[] {
    let place = this.#pieceBefore(moments[0] ?? 0);
    return moments.map((moment) => {
      while ((this.#pieces[place + 1]?.fromSeconds ?? Number.POSITIVE_INFINITY) < moment) place++;
      return this.#within(place, moment);
    });
  }

  /** Whether the state changes within a range, excluding both ends. */
  changesWithin(fromSeconds: number, toSeconds: number): boolean {
    const place = this.#pieceBefore(fromSeconds + 1) + 1;
    const next = this.#pieces[place];
    return place > 0 && next !== undefined && next.fromSeconds < toSeconds;
  }

  #within(place: number, moment: number): CountersAt {
    const piece = this.#pieces[place];
    if (piece === undefined) return { seconds: noSeconds, outages: 0 };
    const { state, fromSeconds, toSeconds, before, outages } = piece;
    if (moment >= toSeconds && place === this.#pieces.length - 1) return this.#end;
    const length = Math.min(moment, toSeconds) - fromSeconds;
    return { seconds: { ...before, [state]: before[state] + length }, outages };
  }

  /** The index of the last piece that begins before a moment; -1 if there is none. */
  #pieceBefore(moment: number): number {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pieces[middle]?.fromSeconds ?? moment) < moment) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

import { type StateSpan, type TalliedState, talliedStates } from '../../../src/domain/interval.ts';
import { countersOf, type KnownStates, openOutage } from '../../../src/slo/state-log.ts';

/** What the states of an item amount to at its horizon. */
interface Counted {
  readonly seconds: { readonly [S in TalliedState]: number };
  readonly outages: number;
  readonly lastOutageSeconds: number | undefined;
  readonly isOpen: boolean;
  readonly openSinceSeconds: number | undefined;
}

function countedBy(known: KnownStates): Counted {
  const { seconds, outages, lastOutageSeconds } = countersOf(known);
  const open = openOutage(known);
  return {
    seconds,
    outages,
    lastOutageSeconds,
    isOpen: open !== undefined,
    openSinceSeconds: open?.sinceSeconds,
  };
}

interface OpenOutage {
  /** Undefined if it may have begun before the first second that is known. */
  readonly sinceSeconds: number | undefined;
  /** It was open at first sight, or began then. */
  readonly isFirst: boolean;
}

interface FirstSight {
  readonly startSeconds: number;
  readonly state: TalliedState;
  readonly isPastKnown: boolean;
  /** The outage that a list shows as open. */
  readonly open?: { readonly sinceSeconds: number | undefined } | undefined;
}

/**
 * Counts states as they are recorded, with sums and without a log, so that a log can be compared
 * with it.
 */
export class CountingModel {
  readonly #startSeconds: number;
  readonly #firstState: TalliedState;
  #isPastKnown: boolean;
  readonly #seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  #outages = 0;
  #lastOutageSeconds: number | undefined;
  #open: OpenOutage | undefined;

  /** When the outage began in which the past ends, if a report has shown that. */
  #pastSinceSeconds: number | undefined;

  constructor({ startSeconds, state, isPastKnown, open }: FirstSight) {
    this.#startSeconds = startSeconds;
    this.#firstState = state;
    this.#pastSinceSeconds = startSeconds;
    this.#isPastKnown = isPastKnown;
    this.#open = open && { ...open, isFirst: true };
  }

  record(spans: readonly StateSpan[], horizon: { atSeconds: number; state: TalliedState }): void {
    for (const { state, fromSeconds, toSeconds } of spans) {
      this.#seconds[state] += toSeconds - fromSeconds;
      if (state === 'down') this.#openAt(fromSeconds);
      else this.#close(fromSeconds);
    }
    if (horizon.state === 'up') this.#close(horizon.atSeconds);
  }

  /** The past shows when the outage of first sight began, if that is still open. */
  began(sinceSeconds: number | undefined): void {
    this.#isPastKnown = true;
    this.#pastSinceSeconds = sinceSeconds;
    if (this.#open?.isFirst) this.#open = { sinceSeconds, isFirst: true };
  }

  /** Throws with both if a log counts differently. */
  requireSame(known: KnownStates): void {
    const wanted: Counted = {
      seconds: { ...this.#seconds },
      outages: this.#outages,
      lastOutageSeconds: this.#lastOutageSeconds,
      isOpen: this.#open !== undefined,
      openSinceSeconds: this.#open?.sinceSeconds,
    };
    const found = countedBy(known);
    const isSame =
      talliedStates.every((state) => wanted.seconds[state] === found.seconds[state]) &&
      wanted.outages === found.outages &&
      wanted.lastOutageSeconds === found.lastOutageSeconds &&
      wanted.isOpen === found.isOpen &&
      wanted.openSinceSeconds === found.openSinceSeconds;
    if (isSame) return;
    throw new Error(`counted ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }

  #openAt(fromSeconds: number): void {
    if (this.#open !== undefined) return;
    const isFirst = fromSeconds === this.#startSeconds;
    if (!isFirst) this.#outages += 1;
    // Only a good test at first sight tells an outage from that before it.
    const goesOn = isFirst && this.#isPastKnown && this.#firstState !== 'up';
    const isKnown = !isFirst || this.#isPastKnown;
    const sinceSeconds = isKnown ? fromSeconds : undefined;
    this.#open = { isFirst, sinceSeconds: goesOn ? this.#pastSinceSeconds : sinceSeconds };
  }

  #close(atSeconds: number): void {
    const since = this.#open?.sinceSeconds;
    // Where a report denies the outage of first sight, it lasted no time, and was none.
    if (since !== undefined && since < atSeconds) this.#lastOutageSeconds = atSeconds - since;
    this.#open = undefined;
  }
}

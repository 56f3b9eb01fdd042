import type { Check } from '../../../src/domain/check.ts';
import type { MonitoredState, StateSpan, TalliedState } from '../../../src/domain/interval.ts';
import { hashUnit } from '../../../src/lib/random.ts';

/** How the service behaves where its documents are silent. Ranges of seconds include both ends. */
export interface Wire {
  readonly resolutionSeconds: number;
  readonly dialect: '3.1' | '2.x';
  readonly reportLagSeconds: readonly [number, number];
  readonly listLagSeconds: readonly [number, number];
  /** Where a report ends that does not end with a pause. */
  readonly reportsEnd: 'last-test' | 'now';
  /** What `lastdownend` is: the end of the downtime, or the first successful test after it. */
  readonly downEnd: 'end' | 'good-test';
  /** In the half hour after its confirmation, a third of the reports lack an outage. */
  readonly missesOutages: boolean;
  /** The time between two disturbances, and what they are. */
  readonly quietSeconds: readonly [number, number];
  readonly disturbances: readonly ('down' | 'pause' | 'unknown')[];
  /** The share of outages that a pause or an unknown state follows at once. */
  readonly followed: number;
  /** The share of pauses and unknown states that another one follows at once. */
  readonly chained: number;
  /** Whether reports have no state during a pause, or the state unknown. */
  readonly pausesInReports: 'absent' | 'unknown';
  /** Whether reports have an unknown state while it lasts, or only when it has ended. */
  readonly unknownInReports: 'shown' | 'absent';
  /** Whether a test whose result is unknown is the last test of a list. */
  readonly listsUnknownTests: boolean;
  /** Lists show the time of a test up to so many seconds before its outcome. */
  readonly lateStatusSeconds: number;
  /** The share of reports of which some states cannot be read. */
  readonly unreadableShare: number;
  /** The time between two lists. */
  readonly listsSeconds: readonly [number, number];
  /** The share of lists after which nothing is read for some time. */
  readonly blindShare: number;
  readonly blindSeconds: readonly [number, number];
  /** Disturbances end by then. The rest of a life is quiet, so that all of it can be counted. */
  readonly eventfulSeconds: number;
  readonly lifeSeconds: number;
  /** The share of disturbances that last up to `longSeconds`. */
  readonly longShare: number;
  readonly longSeconds: number;
}

/** A failure is confirmed this long after the failed test. */
const confirmationSeconds = 20;
const missedSeconds = 1_800;
const changingSeconds = 300;

interface Span extends StateSpan {
  readonly confirmedAtSeconds: number;
}

export type Dice = () => number;

export function dice(seed: number): Dice {
  let draws = 0;
  return () => hashUnit(seed, ++draws);
}

/** A whole number of a range. */
export function within(chance: Dice, [least, most]: readonly [number, number]): number {
  return least + Math.floor(chance() * (most - least + 1));
}

/** One check of a simulated service, from second 0 on: its true states, and what is said of them. */
export class SimulatedLife {
  readonly #wire: Wire;
  readonly #phaseSeconds: number;
  readonly #spans: Span[] = [];
  /** Listed as paused in these ranges; the time after them is unmonitored until the next test. */
  readonly #pauses: { readonly fromSeconds: number; readonly toSeconds: number }[] = [];
  /** The time of the content of the newest report: reports do not go back. */
  #reportedSeconds = 0;

  constructor(wire: Wire, chance: Dice) {
    this.#wire = wire;
    this.#phaseSeconds = within(chance, [0, wire.resolutionSeconds - 1]);
    this.#live(chance);
  }

  /** The true states up to a time. */
  spansUntil(toSeconds: number): StateSpan[] {
    return this.#spans
      .filter(({ fromSeconds }) => fromSeconds < toSeconds)
      .map((span) => ({ ...span, toSeconds: Math.min(span.toSeconds, toSeconds) }));
  }

  /** The entry of a list whose content is of this time. */
  entryAt(seconds: number): Check {
    const lastTest = this.lastTest(seconds);
    const entry = this.#entryOf(this.shownAt(seconds));
    return lastTest === undefined ? entry : { ...entry, lastTestAtSeconds: lastTest };
  }

  /** The moment whose status the list shows: a test may be listed before its outcome. */
  shownAt(seconds: number): number {
    const tested = this.lastTest(seconds);
    if (tested === undefined || this.#statusAt(seconds) === 'paused') return seconds;
    const lateSeconds = (13 * tested) % (this.#wire.lateStatusSeconds + 1);
    const isLate = seconds - tested < lateSeconds && this.#statusAt(tested - 1) !== 'paused';
    return isLate ? tested - 1 : seconds;
  }

  #entryOf(seconds: number): Check {
    const { resolutionSeconds, dialect, downEnd } = this.#wire;
    const lastTest = this.lastTest(seconds);
    const failed = this.#spans.findLast(
      ({ state, fromSeconds }) => state === 'down' && fromSeconds <= seconds,
    );
    const confirmed = this.#spans.findLast(
      ({ state, confirmedAtSeconds }) => state === 'down' && confirmedAtSeconds <= seconds,
    );
    const end =
      downEnd === 'end'
        ? confirmed?.toSeconds
        : this.#spans.find(
            ({ state, fromSeconds }) =>
              state === 'up' && fromSeconds >= (confirmed?.toSeconds ?? Number.POSITIVE_INFINITY),
          )?.fromSeconds;
    return {
      id: 1,
      name: 'simulated',
      type: 'http',
      tags: [],
      resolutionSeconds,
      status: this.#statusAt(seconds),
      ...(lastTest !== undefined && { lastTestAtSeconds: lastTest }),
      ...(failed !== undefined && {
        lastErrorAtSeconds: Math.min(lastTest ?? 0, failed.toSeconds - resolutionSeconds),
      }),
      ...(dialect === '3.1' &&
        confirmed !== undefined && { lastDownStartAtSeconds: confirmed.fromSeconds }),
      ...(dialect === '3.1' &&
        end !== undefined &&
        end <= seconds && { lastDownEndAtSeconds: end }),
    };
  }

  /** The outage report from a time on, as the service sends it when it is asked. */
  reportFrom(
    fromSeconds: number,
    askedSeconds: number,
    lagSeconds: number,
  ): StateSpan<MonitoredState>[] {
    const content = Math.max(this.#reportedSeconds, askedSeconds - lagSeconds);
    this.#reportedSeconds = content;
    const endSeconds = this.#reportEnd(content);
    const items: StateSpan<MonitoredState>[] = [];
    for (const span of this.#spans) {
      const reported = this.#reportedState(span, content);
      if (reported === undefined) continue;
      const state = this.#isHidden(span, content, askedSeconds) ? 'up' : reported;
      const from = Math.max(span.fromSeconds, fromSeconds);
      const to = Math.min(span.toSeconds, span.state === 'unmonitored' ? content : endSeconds);
      if (to <= from) continue;
      const last = items.at(-1);
      if (last?.state === state && last.toSeconds === from && state !== 'unknown') {
        items[items.length - 1] = { ...last, toSeconds: to };
      } else items.push({ state, fromSeconds: from, toSeconds: to });
    }
    return items;
  }

  #live(chance: Dice): void {
    const { resolutionSeconds, quietSeconds, disturbances, followed, chained } = this.#wire;
    const { eventfulSeconds, lifeSeconds } = this.#wire;
    this.#add('up', this.#nextTest(within(chance, [600, 2_400])));
    while (this.#endSeconds < eventfulSeconds) {
      const kind = disturbances[Math.floor(chance() * disturbances.length)];
      const lastTest = this.#endSeconds;
      if (kind === 'down') {
        const seconds = this.#length(chance, [1, 20], resolutionSeconds);
        this.#add('down', this.#nextTest(lastTest + seconds));
        if (chance() < followed) this.#follow(chance);
      } else if (kind !== undefined) {
        // Between two tests, the state of the last one goes on.
        this.#add('up', lastTest + within(chance, [1, resolutionSeconds - 1]));
        this.#interrupt(kind, chance);
        while (chance() < chained) this.#interrupt(chance() < 0.5 ? 'pause' : 'unknown', chance);
      }
      this.#add('up', this.#nextTest(this.#endSeconds + within(chance, quietSeconds)));
    }
    this.#add('up', lifeSeconds + resolutionSeconds);
  }

  #interrupt(kind: 'pause' | 'unknown', chance: Dice): void {
    const last = this.#spans.at(-1)?.state;
    if (kind === 'unknown') {
      this.#add('unknown', this.#nextTest(this.#endSeconds + this.#length(chance, [60, 1_800])));
    } else if (last !== 'unmonitored') {
      // A pause begins between two tests.
      const seconds = within(chance, [1, this.#wire.resolutionSeconds - 1]);
      if (last === 'unknown') this.#add('unknown', this.#endSeconds + seconds);
      this.#pause(this.#length(chance, [60, 2_400]));
    }
  }

  /** How long a disturbance lasts. */
  #length(chance: Dice, range: readonly [number, number], unitSeconds = 1): number {
    const { longShare, longSeconds } = this.#wire;
    if (longShare > 0 && chance() < longShare) return within(chance, [range[1], longSeconds]);
    return within(chance, range) * unitSeconds;
  }

  /** A pause or an unknown state follows an outage without a successful test in between. */
  #follow(chance: Dice): void {
    const { resolutionSeconds } = this.#wire;
    const seconds = within(chance, [1, 10]) * resolutionSeconds;
    if (chance() < 0.5) this.#add('unknown', this.#nextTest(this.#endSeconds + seconds));
    else this.#pause(within(chance, [10, seconds]));
  }

  #pause(seconds: number): void {
    const fromSeconds = this.#endSeconds;
    const toSeconds = fromSeconds + seconds;
    this.#pauses.push({ fromSeconds, toSeconds });
    this.#add('unmonitored', this.#nextTest(toSeconds + 1));
  }

  #add(state: TalliedState, toSeconds: number): void {
    const fromSeconds = this.#endSeconds;
    if (toSeconds <= fromSeconds) return;
    const last = this.#spans.at(-1);
    if (last?.state === state) {
      this.#spans[this.#spans.length - 1] = { ...last, toSeconds };
      return;
    }
    const confirmedAtSeconds = fromSeconds + confirmationSeconds;
    this.#spans.push({ state, fromSeconds, toSeconds, confirmedAtSeconds });
  }

  get #endSeconds(): number {
    return this.#spans.at(-1)?.toSeconds ?? 0;
  }

  /** The first time of a test that is not before this time. */
  #nextTest(seconds: number): number {
    const { resolutionSeconds } = this.#wire;
    const runs = Math.ceil((seconds - this.#phaseSeconds) / resolutionSeconds);
    return runs * resolutionSeconds + this.#phaseSeconds;
  }

  /** The last test that a list of this time shows. */
  lastTest(seconds: number): number | undefined {
    const { resolutionSeconds } = this.#wire;
    for (
      let at = this.#nextTest(seconds + 1) - resolutionSeconds;
      at > 0;
      at -= resolutionSeconds
    ) {
      const state = this.#spanAt(at)?.state;
      if (state === 'up' || state === 'down') return at;
      if (state === 'unknown' && this.#wire.listsUnknownTests) return at;
    }
    return undefined;
  }

  #spanAt(seconds: number): Span | undefined {
    return this.#spans.find(
      ({ fromSeconds, toSeconds }) => fromSeconds <= seconds && seconds < toSeconds,
    );
  }

  #statusAt(seconds: number): Check['status'] {
    const isPaused = this.#pauses.some(
      ({ fromSeconds, toSeconds }) => fromSeconds <= seconds && seconds < toSeconds,
    );
    if (isPaused) return 'paused';
    const state = this.#spanAt(seconds)?.state;
    // A check that was resumed is unknown until its next test.
    if (state === 'unmonitored' || state === 'unknown') return 'unknown';
    const tested = this.#spanAt(this.lastTest(seconds) ?? 0);
    if (tested?.state !== 'down') return 'up';
    return tested.confirmedAtSeconds <= seconds ? 'down' : 'unconfirmed_down';
  }

  #reportEnd(contentSeconds: number): number {
    if (this.#wire.reportsEnd === 'now') return contentSeconds;
    const span = this.#spanAt(contentSeconds);
    if (span?.state === 'unmonitored') return span.fromSeconds;
    return span?.state === 'unknown' ? contentSeconds : (this.lastTest(contentSeconds) ?? 0);
  }

  /** Undefined for what a report does not have: a pause, or an unknown state while it lasts. */
  #reportedState(span: Span, contentSeconds: number): MonitoredState | undefined {
    const { pausesInReports, unknownInReports } = this.#wire;
    if (span.state === 'unmonitored') return pausesInReports === 'absent' ? undefined : 'unknown';
    const isOpen = span.fromSeconds <= contentSeconds && contentSeconds < span.toSeconds;
    const isLeftOut = span.state === 'unknown' && isOpen && unknownInReports === 'absent';
    return isLeftOut ? undefined : span.state;
  }

  #isHidden(span: Span, contentSeconds: number, askedSeconds: number): boolean {
    if (span.state !== 'down') return false;
    if (span.confirmedAtSeconds > contentSeconds) return true;
    const isRecent = askedSeconds < span.confirmedAtSeconds + missedSeconds;
    const turn = span.fromSeconds * 7 + Math.floor(askedSeconds / changingSeconds);
    return this.#wire.missesOutages && isRecent && turn % 3 === 0;
  }
}

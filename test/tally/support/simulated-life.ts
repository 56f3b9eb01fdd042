import type { Check } from '../../../src/domain/check.ts';
import type { MonitoredState, StateSpan, TalliedState } from '../../../src/domain/interval.ts';
import { hashUnit } from '../../../src/lib/random.ts';

/** How the service behaves where its documents are silent. Ranges of seconds include both ends. */
export interface Wire {
  /** At first. */
  readonly resolutionSeconds: number;
  /** Those that its owner chooses in turn; without them it stays the same. */
  readonly resolutions: readonly number[];
  /** Whether an outage in which the resolution changes is two, of which each is confirmed. */
  readonly splitsOutages: boolean;
  readonly dialect: '3.1' | '2.x';
  readonly reportLagSeconds: readonly [number, number];
  readonly listLagSeconds: readonly [number, number];
  /** Where a report ends that does not end with a pause. */
  readonly reportsEnd: 'last-test' | 'before-now' | 'now';
  /** Whether states that began before the range of a report are cut to it. */
  readonly cutsStates: boolean;
  /** Whether reports have states without any time between others. */
  readonly emptyStates: boolean;
  /** Where a report begins: with its range, or with the first test in it. */
  readonly reportsBegin: 'range' | 'first-test';
  /** What `lastdownend` is in an outage: absent, or the end of the outage before it. */
  readonly openDownEnd: 'absent' | 'earlier';
  /** The status of a check whose last test is the first good one after an outage. */
  readonly recoveries: 'up' | 'unconfirmed_up';
  /** Whether the test of another probe that confirms a failure is the last test of a list. */
  readonly listsConfirmations: boolean;
  /** Tests are later than their raster by up to so many seconds. */
  readonly jitterSeconds: number;
  /** What `lasterrortime` is: the last failed test, the first one of the failure, or an outage's last. */
  readonly listedError: 'last' | 'first' | 'outage';
  /** The status of a check that was resumed, until its next test. */
  readonly resumedStatus: 'unknown' | 'as-before';
  /** What `lastdownend` is: the end of the downtime, or the first successful test after it. */
  readonly downEnd: 'end' | 'good-test';
  /** When a failure is confirmed: some seconds after the failed test, or with the next failed one. */
  readonly confirmedBy: 'probes' | 'next-test';
  /** In the half hour after its confirmation, a third of the reports lack an outage. */
  readonly missesOutages: boolean;
  /** The time between two disturbances, and what they are. A failure is one that is not confirmed. */
  readonly quietSeconds: readonly [number, number];
  readonly disturbances: readonly ('down' | 'failure' | 'pause' | 'unknown')[];
  /** The share of outages that a pause or an unknown state follows at once. */
  readonly followed: number;
  /** The share of pauses and unknown states that another one follows at once. */
  readonly chained: number;
  /** Whether reports have no state during a pause, or the state unknown. */
  readonly pausesInReports: 'absent' | 'unknown';
  /** Whether reports have an unknown state while it lasts, or only when it has ended. */
  readonly unknownInReports: 'shown' | 'absent';
  /** Whether unknown states of a report that follow each other are one. */
  readonly joinsUnknown: boolean;
  /** Whether a test whose result is unknown is the last test of a list. */
  readonly listsUnknownTests: boolean;
  /** Lists show the time of a test up to so many seconds before its outcome. */
  readonly lateStatusSeconds: number;
  /** The share of lists that lack an attribute, of each one. */
  readonly omitted: number;
  /** Whether lists and reports may be older than those before them. */
  readonly goesBack: boolean;
  /** The share of reports of which some states cannot be read. */
  readonly unreadableShare: number;
  /** No other check of the account is tested, so that nothing shows how old a list is. */
  readonly isAlone: boolean;
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

/** By other probes. */
const confirmationSeconds = 20;
const missedSeconds = 1_800;
const changingSeconds = 300;

interface Span extends StateSpan {
  readonly confirmedAtSeconds: number;
}

/** Tests at one resolution, from a first test on. */
interface Stretch {
  readonly fromSeconds: number;
  readonly resolutionSeconds: number;
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
  /** Of the tests; the next one begins with a test. */
  readonly #stretches: Stretch[];
  readonly #spans: Span[] = [];
  /** Listed as paused in these ranges; the time after them is unmonitored until the next test. */
  readonly #pauses: { readonly fromSeconds: number; readonly toSeconds: number }[] = [];
  /** Failed tests that are not confirmed: the check was up. */
  readonly #failures: number[] = [];
  /** The time of the content of the newest report: reports do not go back. */
  #reportedSeconds = 0;

  constructor(wire: Wire, chance: Dice) {
    this.#wire = wire;
    const { resolutionSeconds } = wire;
    const fromSeconds = within(chance, [0, resolutionSeconds - 1]);
    this.#stretches = [{ fromSeconds, resolutionSeconds }];
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
    const { resolutionSeconds } = this.#stretchAt(seconds);
    const entry = { ...this.#entryOf(this.shownAt(seconds)), resolutionSeconds };
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
    const { dialect } = this.#wire;
    const lastTest = this.lastTest(seconds);
    const { startSeconds, endSeconds } = this.#listedOutage(seconds);
    const error = this.#listedError(seconds, lastTest);
    const status = this.#statusAt(seconds);
    const end = status === 'down' ? undefined : endSeconds;
    return {
      id: 1,
      name: 'simulated',
      type: 'http',
      tags: [],
      status,
      ...(lastTest !== undefined && { lastTestAtSeconds: lastTest }),
      ...(error > 0 && { lastErrorAtSeconds: error }),
      ...(dialect === '3.1' &&
        startSeconds !== undefined && { lastDownStartAtSeconds: startSeconds }),
      ...(dialect === '3.1' && end !== undefined && { lastDownEndAtSeconds: end }),
    };
  }

  #listedError(seconds: number, lastTest = 0): number {
    const { listedError } = this.#wire;
    const isListed = (failedAt: number) => failedAt <= seconds;
    const outage = this.#spans.findLast(
      ({ state, fromSeconds, confirmedAtSeconds }) =>
        state === 'down' && isListed(listedError === 'outage' ? confirmedAtSeconds : fromSeconds),
    );
    const isFirst = listedError === 'first';
    const failedTest =
      outage && (isFirst ? outage.fromSeconds : this.#testBefore(outage.toSeconds));
    const failure = listedError === 'outage' ? undefined : this.#failures.findLast(isListed);
    return Math.max(failure ?? 0, Math.min(lastTest, failedTest ?? 0));
  }

  /** What a list shows of the last outage that is confirmed at a time. */
  #listedOutage(seconds: number): {
    readonly startSeconds: number | undefined;
    readonly endSeconds: number | undefined;
  } {
    const outages = this.#spans.filter(
      ({ state, confirmedAtSeconds }) => state === 'down' && confirmedAtSeconds <= seconds,
    );
    const last = outages.at(-1);
    const ended = (outage: Span | undefined) => {
      const end = outage && this.#listedEnd(outage);
      return end !== undefined && end <= seconds ? end : undefined;
    };
    const earlier = this.#wire.openDownEnd === 'earlier' ? ended(outages.at(-2)) : undefined;
    return { startSeconds: last?.fromSeconds, endSeconds: ended(last) ?? earlier };
  }

  #listedEnd({ toSeconds: end }: Span): number | undefined {
    if (this.#wire.downEnd === 'end') return end;
    return this.#spans.find(({ state, fromSeconds }) => state === 'up' && fromSeconds >= end)
      ?.fromSeconds;
  }

  /** The outage report from a time on, as the service sends it when it is asked. */
  reportFrom(
    fromSeconds: number,
    askedSeconds: number,
    lagSeconds: number,
  ): StateSpan<MonitoredState>[] {
    const least = this.#wire.goesBack ? 0 : this.#reportedSeconds;
    const content = Math.max(least, askedSeconds - lagSeconds);
    this.#reportedSeconds = content;
    const endSeconds = this.#reportEnd(content);
    const items: StateSpan<MonitoredState>[] = [];
    for (const span of this.#spans) {
      const reported = this.#reportedState(span, content);
      if (reported === undefined) continue;
      const state = this.#isHidden(span, content, askedSeconds) ? 'up' : reported;
      const to = Math.min(span.toSeconds, span.state === 'unmonitored' ? content : endSeconds);
      if (to <= Math.max(span.fromSeconds, fromSeconds)) continue;
      const { cutsStates, emptyStates, joinsUnknown } = this.#wire;
      const from = cutsStates ? Math.max(span.fromSeconds, fromSeconds) : span.fromSeconds;
      if (emptyStates) items.push({ state: 'unknown', fromSeconds: from, toSeconds: from });
      const last = items.at(-1);
      const isJoined = state !== 'unknown' || joinsUnknown;
      if (last?.state === state && last.toSeconds === from && isJoined) {
        items[items.length - 1] = { ...last, toSeconds: to };
      } else items.push({ state, fromSeconds: from, toSeconds: to });
    }
    const firstSeconds = this.#wire.reportsBegin === 'range' ? 0 : this.#nextTest(fromSeconds);
    return items
      .filter((item) => item.toSeconds >= firstSeconds)
      .map((item) => ({ ...item, fromSeconds: Math.max(item.fromSeconds, firstSeconds) }));
  }

  #live(chance: Dice): void {
    const { quietSeconds, disturbances, followed, chained } = this.#wire;
    const { eventfulSeconds, lifeSeconds } = this.#wire;
    this.#add('up', this.#nextTest(within(chance, [600, 2_400])));
    while (this.#endSeconds < eventfulSeconds) {
      this.#mayChange(chance);
      const { resolutionSeconds } = this.#stretchAt(this.#endSeconds);
      const kind = disturbances[Math.floor(chance() * disturbances.length)];
      const lastTest = this.#endSeconds;
      if (kind === 'down') {
        const least = this.#wire.confirmedBy === 'next-test' ? 2 : 1;
        const seconds = this.#length(chance, [least, 20], resolutionSeconds);
        this.#add('down', this.#nextTest(lastTest + seconds));
        if (this.#mayChange(chance)) this.#goOn(chance);
        if (chance() < followed) this.#follow(chance);
      } else if (kind === 'failure') {
        this.#failures.push(lastTest);
        this.#add('up', this.#nextTest(lastTest + resolutionSeconds));
      } else if (kind !== undefined) {
        // Between two tests, the state of the last one goes on.
        this.#add('up', lastTest + within(chance, [1, resolutionSeconds - 1]));
        this.#interrupt(kind, chance);
        while (chance() < chained) this.#interrupt(chance() < 0.5 ? 'pause' : 'unknown', chance);
        this.#mayChange(chance);
      }
      this.#add('up', this.#nextTest(this.#endSeconds + within(chance, quietSeconds)));
    }
    this.#add('up', lifeSeconds + 3_600);
  }

  #interrupt(kind: 'pause' | 'unknown', chance: Dice): void {
    const last = this.#spans.at(-1)?.state;
    if (kind === 'unknown') {
      this.#add('unknown', this.#nextTest(this.#endSeconds + this.#length(chance, [60, 1_800])));
    } else if (last !== 'unmonitored') {
      // A pause begins between two tests.
      const { resolutionSeconds } = this.#stretchAt(this.#endSeconds);
      const seconds = within(chance, [1, resolutionSeconds - 1]);
      if (last === 'unknown') this.#add('unknown', this.#endSeconds + seconds);
      this.#pause(this.#length(chance, [60, 2_400]), chance);
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
    const { resolutionSeconds } = this.#stretchAt(this.#endSeconds);
    const seconds = within(chance, [1, 10]) * resolutionSeconds;
    if (chance() < 0.5) this.#add('unknown', this.#nextTest(this.#endSeconds + seconds));
    else this.#pause(within(chance, [10, seconds]), chance);
  }

  #pause(seconds: number, chance: Dice): void {
    const fromSeconds = this.#endSeconds;
    const toSeconds = fromSeconds + seconds;
    this.#pauses.push({ fromSeconds, toSeconds });
    const isChanged = this.#wire.resolutions.length > 0 && chance() < 0.3;
    if (isChanged) this.#change(within(chance, [fromSeconds + 1, toSeconds]));
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
    const confirmedAtSeconds = this.#confirmedAt(fromSeconds);
    this.#spans.push({ state, fromSeconds, toSeconds, confirmedAtSeconds });
  }

  #confirmedAt(failedSeconds: number): number {
    const byProbes = this.#wire.confirmedBy === 'probes';
    return byProbes ? failedSeconds + confirmationSeconds : this.#nextTest(failedSeconds + 1);
  }

  get #endSeconds(): number {
    return this.#spans.at(-1)?.toSeconds ?? 0;
  }

  /** The owner may change the resolution between two tests: it is tested at once. */
  #mayChange(chance: Dice): boolean {
    const { resolutions } = this.#wire;
    const state = this.#spans.at(-1)?.state;
    if (resolutions.length === 0 || chance() < 0.7) return false;
    if (state === undefined || state === 'unmonitored') return false;
    const { resolutionSeconds } = this.#stretchAt(this.#endSeconds);
    const fromSeconds = this.#endSeconds + within(chance, [1, resolutionSeconds - 1]);
    this.#add(state, fromSeconds);
    this.#change(fromSeconds);
    return true;
  }

  #change(fromSeconds: number): void {
    const { resolutions, resolutionSeconds } = this.#wire;
    const other = resolutions[this.#stretches.length % resolutions.length];
    this.#stretches.push({ fromSeconds, resolutionSeconds: other ?? resolutionSeconds });
  }

  /** An outage lasts for more tests at the new resolution. */
  #goOn(chance: Dice): void {
    const { resolutionSeconds } = this.#stretchAt(this.#endSeconds);
    const fromSeconds = this.#endSeconds;
    const toSeconds = this.#nextTest(fromSeconds + within(chance, [2, 10]) * resolutionSeconds);
    if (this.#wire.splitsOutages) {
      const confirmedAtSeconds = this.#confirmedAt(fromSeconds);
      this.#spans.push({ state: 'down', fromSeconds, toSeconds, confirmedAtSeconds });
    } else this.#add('down', toSeconds);
  }

  #stretchAt(seconds: number): Stretch {
    const stretch = this.#stretches.findLast(({ fromSeconds }) => fromSeconds <= seconds);
    return stretch ?? (this.#stretches[0] as Stretch);
  }

  /** The first time of a test that is not before this time. */
  #nextTest(seconds: number): number {
    const stretch = this.#stretchAt(seconds);
    const { fromSeconds, resolutionSeconds } = stretch;
    let run = Math.ceil((seconds - fromSeconds) / resolutionSeconds);
    if (this.#timeOf(stretch, run - 1) >= seconds) run -= 1;
    const at = this.#timeOf(stretch, run);
    const next = this.#stretches.find((later) => later.fromSeconds >= seconds);
    return Math.min(at, next?.fromSeconds ?? at);
  }

  /** The last time of a test before this time. */
  #testBefore(seconds: number): number {
    const stretch = this.#stretchAt(seconds - 1);
    const { fromSeconds, resolutionSeconds } = stretch;
    const run = Math.floor((seconds - 1 - fromSeconds) / resolutionSeconds);
    const at = this.#timeOf(stretch, run);
    return at < seconds ? at : this.#timeOf(stretch, run - 1);
  }

  #timeOf({ fromSeconds, resolutionSeconds }: Stretch, run: number): number {
    const { jitterSeconds } = this.#wire;
    return fromSeconds + run * resolutionSeconds + (run > 0 ? (run * 13) % (jitterSeconds + 1) : 0);
  }

  /** The last test that a list of this time shows. */
  lastTest(seconds: number): number | undefined {
    for (let at = this.#testBefore(seconds + 1); at > 0; at = this.#testBefore(at)) {
      const state = this.#spanAt(at)?.state;
      if (state === 'up' || state === 'down') return this.#confirmedBy(at, seconds) ?? at;
      if (state === 'unknown' && this.#wire.listsUnknownTests) return at;
    }
    return undefined;
  }

  /** The test of another probe, which has confirmed the failure of a test by then, or not. */
  #confirmedBy(testSeconds: number, seconds: number): number | undefined {
    if (!this.#wire.listsConfirmations) return undefined;
    const isFailure =
      this.#failures.includes(testSeconds) ||
      this.#spans.some(({ state, fromSeconds }) => state === 'down' && fromSeconds === testSeconds);
    const at = testSeconds + confirmationSeconds;
    return isFailure && at <= seconds ? at : undefined;
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
    const isResumed = state === 'unmonitored' && this.#wire.resumedStatus === 'as-before';
    if (!isResumed && (state === 'unmonitored' || state === 'unknown')) return 'unknown';
    const lastTest = this.lastTest(seconds) ?? 0;
    if (this.#failures.includes(lastTest) && seconds < this.#confirmedAt(lastTest)) {
      return 'unconfirmed_down';
    }
    const tested = this.#spanAt(lastTest);
    if (tested?.state !== 'down') {
      const isFirstGood = this.#spanAt(this.#testBefore(lastTest))?.state === 'down';
      return isFirstGood ? this.#wire.recoveries : 'up';
    }
    return tested.confirmedAtSeconds <= seconds ? 'down' : 'unconfirmed_down';
  }

  #reportEnd(contentSeconds: number): number {
    if (this.#wire.reportsEnd === 'now') return contentSeconds;
    const span = this.#spanAt(contentSeconds);
    if (span?.state === 'unmonitored') return span.fromSeconds;
    if (this.#wire.reportsEnd === 'before-now') {
      const { resolutionSeconds } = this.#stretchAt(contentSeconds);
      const beforeNow = contentSeconds - ((contentSeconds * 37) % resolutionSeconds);
      return Math.max(this.#testBefore(contentSeconds + 1), beforeNow);
    }
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

import type { ReadRequest } from '../../../src/api/reader.ts';
import { listOutages } from '../../../src/api/resources/outages.ts';
import type { Check } from '../../../src/domain/check.ts';
import type {
  MonitoredState,
  StateSpan,
  TalliedState,
  TimeRange,
} from '../../../src/domain/interval.ts';
import type { Mutable } from '../../../src/lib/present.ts';
import { logAtFirstSight } from '../../../src/slo/past.ts';
import { countersOf, type KnownStates, spansSince } from '../../../src/slo/state-log.ts';
import { withCounted } from '../../../src/state/items/totals.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import { AwaitedReports, type AwaitingCheck } from '../../../src/tally/awaited-reports.ts';
import {
  type ListTimes,
  listTimesOf,
  longestLagSeconds,
  newestOf,
} from '../../../src/tally/list-times.ts';
import { clip } from '../../../src/tally/maintenance-tally.ts';
import { interruptedUntil, settle, withEvidence } from '../../../src/tally/settle.ts';
import { startTally } from '../../../src/tally/start-tally.ts';
import { type Dice, dice, SimulatedLife, type Wire, within } from './simulated-life.ts';

/** What became of one life. */
export interface WatchedLife {
  /** The largest difference of a state from the truth, in seconds. */
  readonly wrongSeconds: number;
  /** Counted outages, less the true ones. */
  readonly wrongOutages: number;
  /** Time that is counted as unmonitored because its reports could not be read for a day. */
  readonly givenUpSeconds: number;
  /** What differs from the truth although lists and reports have told it. */
  readonly unexplained: readonly string[];
  readonly reports: number;
  /** The share of lists up to which the check was up, but counted more than ten minutes late. */
  readonly lateShare: number;
  /** At the end, the check is counted up to the last hour. */
  readonly isCounted: boolean;
}

/** The moment that a list shows, and the status of the check in it. */
interface Look {
  readonly atSeconds: number;
  readonly status: Check['status'];
  readonly lastTestAtSeconds: number | undefined;
}

function lookAt(atSeconds: number, { status, lastTestAtSeconds }: Check): Look {
  return { atSeconds, status, lastTestAtSeconds };
}

/** A list proves that time has passed up to so many seconds before the moment that it shows. */
const passedBefore = 5;

/** An exporter watches one life: it reads a list each minute, and asks for the awaited reports. */
export async function watchLife(wire: Wire, seed: number, restarts: boolean): Promise<WatchedLife> {
  const chance = dice(seed);
  // Another one, so that the times of lists do not depend on the number of reports.
  const ofReports = dice(-seed);
  const ofLists = dice(1_000_000 + seed);
  const life = new SimulatedLife(wire, chance);
  const store = new MemoryStore();
  const firstSeconds = 300;
  let content = firstSeconds;
  let entry = life.entryAt(content);
  const states = startTally(entry, { receivedAtSeconds: content, passedSeconds: content });
  const log = logAtFirstSight(entry, entry.status, states.startSeconds);
  let known: KnownStates = { states, ...(log !== undefined && { log }) };
  let reports = new AwaitedReports();
  let place: AwaitingCheck = { awaitedReport: undefined };
  let listedAt: number | undefined;
  let lastListedAt = firstSeconds;
  const looks: Look[] = [lookAt(content, entry)];
  let [asked, late, lists] = [0, 0, 0];
  let isAfterBlindness = false;
  for (
    let now = firstSeconds + 60;
    now < wire.lifeSeconds;
    now += within(chance, wire.listsSeconds)
  ) {
    if (restarts && chance() < (isAfterBlindness ? 0.3 : 0.02)) {
      known = await restored(store, known);
      reports = new AwaitedReports();
      place = { awaitedReport: undefined };
      listedAt = undefined;
      now += within(chance, [0, 120]);
    }
    isAfterBlindness = chance() < wire.blindShare;
    if (isAfterBlindness) now += within(chance, wire.blindSeconds);
    content = Math.max(wire.goesBack ? 0 : content, now - within(chance, wire.listLagSeconds));
    const whole = life.entryAt(content);
    const listTimes: ListTimes = {
      receivedAtSeconds: now,
      passedSeconds: passedBy(whole, wire, content, now),
      ...(listedAt !== undefined && { elapsedSeconds: now - listedAt }),
      unlistedSeconds: now - lastListedAt,
    };
    const before: Check = entry;
    // One list may lack an attribute, if the one just before it has the last test.
    const isFollowed = listedAt !== undefined && now - listedAt <= 400;
    const mayLack = isFollowed && before.lastTestAtSeconds !== undefined;
    const listed = mayLack ? withoutSome(whole, wire, ofLists) : whole;
    entry = newestOf(before, listed, now);
    const isOlder = entry.status !== listed.status;
    if (!isOlder) looks.push(lookAt(life.shownAt(content), entry));
    listedAt = now;
    lastListedAt = now;
    reports.read(listTimes);
    const settled = settle(
      withEvidence(known.states, interruptedUntil(before, entry, listTimes)),
      entry,
      listTimes,
    );
    known = withCounted(known, settled);
    reports.listed(place, entry, settled, now * 1000);
    if (reports.isDue(place, now * 1000)) {
      const askedAt = now + within(ofReports, [0, 3]);
      const question = reports.ask(place, known.states, askedAt);
      if (question === undefined) throw new Error('a report that is due is not asked for');
      const lag = within(ofReports, wire.reportLagSeconds);
      const items = await reported(life, question, askedAt, lag);
      const isReadable = ofReports() >= wire.unreadableShare;
      const readable = isReadable ? items : items.filter(() => ofReports() < 0.5);
      const report = { items: readable, isReadable };
      const answer = reports.apply(place, question, report, {
        tally: known.states,
        check: entry,
      });
      const isCounted = answer.recorded.length > 0;
      known = withCounted(known, answer);
      const read = { items, isCounted, tally: known.states };
      reports.answered(place, question, read, askedAt * 1000);
      asked += 1;
    }
    lists += 1;
    const lateSeconds = content - known.states.horizonSeconds - wire.resolutionSeconds;
    if (entry.status === 'up' && now < wire.eventfulSeconds && lateSeconds > 600) late += 1;
  }
  return { ...compared(life, known, looks, wire), reports: asked, lateShare: late / lists };
}

/** UNIX seconds of second 0 of a life. */
const epochSeconds = 1_000_000_000;

/** The states of the outage report that the exporter requests. */
async function reported(
  life: SimulatedLife,
  { fromSeconds, toSeconds }: TimeRange,
  askedAt: number,
  lagSeconds: number,
): Promise<readonly StateSpan<MonitoredState>[]> {
  const get = async ({ query = {} }: ReadRequest) => {
    const from = Number(query.from) - epochSeconds;
    const states = life.reportFrom(from, askedAt, lagSeconds).map((span) => ({
      status: span.state,
      timefrom: epochSeconds + span.fromSeconds,
      timeto: epochSeconds + span.toSeconds,
    }));
    return { summary: { states } };
  };
  const range = { fromSeconds: epochSeconds + fromSeconds, toSeconds: epochSeconds + toSeconds };
  const { signal } = new AbortController();
  const reader = { baseUrl: 'https://api.example.com', get };
  const { items } = await listOutages(reader, { checkId: 1, ...range }, signal);
  return items.map((span) => ({
    ...span,
    fromSeconds: span.fromSeconds - epochSeconds,
    toSeconds: span.toSeconds - epochSeconds,
  }));
}

/** The time that a list proves: by its newest test, which may be that of another check. */
function passedBy(entry: Check, { isAlone }: Wire, content: number, now: number): number {
  if (!isAlone) return content - passedBefore;
  const times = { requestedAtSeconds: now, receivedAtSeconds: now };
  return Math.max(0, listTimesOf([entry], times).passedSeconds);
}

/** Any attribute may be absent. Without a failure, an entry looks like an earlier one. */
function withoutSome(entry: Check, { omitted }: Wire, chance: Dice): Check {
  const left: Mutable<Check> = { ...entry };
  for (const name of ['lastTestAtSeconds', 'resolutionSeconds'] as const) {
    if (chance() < omitted) delete left[name];
  }
  return left;
}

async function restored(store: MemoryStore, known: KnownStates): Promise<KnownStates> {
  await store.commit({ account: 'a', items: { check: new Map([[1, known]]) } });
  const stored = (await store.load('a')).items.check.get(1);
  if (stored === undefined) throw new Error('the store has lost the check');
  return stored;
}

function compared(life: SimulatedLife, known: KnownStates, looks: readonly Look[], wire: Wire) {
  const { startSeconds, horizonSeconds } = known.states;
  const counters = countersOf(known);
  const givenUp = known.log?.givenUp ?? [];
  const inGivenUp = secondsWithin(givenUp, spansSince(known, startSeconds));
  const truth = truthOf(life, known.states, looks, wire, givenUp);
  const missed = (state: TalliedState) =>
    truth.seconds[state] - (counters.seconds[state] - inGivenUp[state]);
  const states = ['up', 'down', 'unknown', 'unmonitored'] as const;
  return {
    wrongSeconds: Math.max(...states.map((state) => Math.abs(missed(state)))),
    wrongOutages: counters.outages - truth.outages,
    givenUpSeconds: lengthWithin(givenUp, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    unexplained: unexplained(missed, truth, wire),
    isCounted: wire.lifeSeconds - Math.max(startSeconds, horizonSeconds) <= 3_600,
  };
}

/** The length of the parts of these times that are in a range. */
function lengthWithin(times: readonly TimeRange[], fromSeconds: number, toSeconds: number): number {
  return clip(times, fromSeconds, toSeconds).reduce(
    (sum, time) => sum + time.toSeconds - time.fromSeconds,
    0,
  );
}

function secondsWithin(times: readonly TimeRange[], spans: readonly StateSpan[]) {
  const seconds: Record<TalliedState, number> = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, fromSeconds, toSeconds } of spans) {
    seconds[state] += lengthWithin(times, fromSeconds, toSeconds);
  }
  return seconds;
}

/** Of the time that is not given up. */
interface LifeTruth {
  readonly seconds: Readonly<Record<TalliedState, number>>;
  readonly outages: number;
  /** Seconds of unknown and unmonitored spans that no list has shown. */
  readonly unseen: { readonly unknown: number; readonly unmonitored: number };
  /** Seconds between the last list of a pause and the unknown state that follows it. */
  readonly unseenEnd: number;
  /** Seconds of unknown states that follow a pause, before the first test that a list shows. */
  readonly unseenBegin: number;
  /** Seconds of unknown states that a pause follows: what is given up does not show when that began. */
  readonly beforePause: number;
  /** The state of a test may end before the next one; in time that is given up, nothing shows when. */
  readonly untilNextTest: number;
}

function truthOf(
  life: SimulatedLife,
  { startSeconds, horizonSeconds }: KnownStates['states'],
  looks: readonly Look[],
  { pausesInReports, joinsUnknown, listLagSeconds, listsUnknownTests, isAlone, ...wire }: Wire,
  givenUp: readonly TimeRange[],
): LifeTruth {
  const seconds: Record<TalliedState, number> = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const unseen = { unknown: 0, unmonitored: 0 };
  let [outages, unseenEnd, unseenBegin, beforePause] = [0, 0, 0, 0];
  let before: StateSpan | undefined;
  // A pause that reports show as unknown may be over when the list that shows it is read.
  const lag = pausesInReports === 'unknown' ? listLagSeconds[1] : 0;
  const isSeen = (status: Check['status'], fromSeconds: number, toSeconds: number) =>
    looks.some(
      (look) =>
        look.status === status && fromSeconds <= look.atSeconds && look.atSeconds < toSeconds,
    );
  // Without the tests between them, two pauses look like one if no list shows the check in between.
  const seemsToGoOn = (fromSeconds: number) => {
    const first = looks.findIndex(({ atSeconds }) => atSeconds >= fromSeconds);
    return !listsUnknownTests && looks[first - 1]?.status === 'paused';
  };
  for (const span of life.spansUntil(horizonSeconds + 1)) {
    const { state, fromSeconds, toSeconds } = span;
    const from = Math.max(fromSeconds, startSeconds);
    const to = Math.min(toSeconds, horizonSeconds);
    const length = Math.max(0, to - from - lengthWithin(givenUp, from, to));
    seconds[state] += length;
    const isNew = state === 'down' && before?.state !== 'down';
    if (isNew && to > from && fromSeconds > startSeconds) outages += 1;
    const isShown = isSeen('paused', from, toSeconds - lag) && !seemsToGoOn(from);
    if (state === 'unmonitored' && !isShown) unseen[state] += length;
    if (state === 'unknown' && !isSeen('unknown', from, toSeconds)) unseen[state] += length;
    if (state === 'unknown' && before?.state === 'unmonitored') {
      const last =
        looks.findLast(({ atSeconds, status }) => atSeconds < from && status === 'paused')
          ?.atSeconds ?? 0;
      unseenEnd += from - Math.max(before.fromSeconds, last - passedBefore);
      const first = looks.find(({ atSeconds }) => atSeconds >= from);
      const listed =
        joinsUnknown && !listsUnknownTests ? toSeconds : (first?.lastTestAtSeconds ?? from);
      unseenBegin += Math.max(0, Math.min(listed, toSeconds) - from);
    }
    if (state === 'unmonitored' && before?.state === 'unknown') {
      const last = looks.findLast(
        ({ atSeconds, status }) => atSeconds < from && status === 'unknown',
      );
      const provenSeconds = listsUnknownTests
        ? (life.lastTest(from) ?? 0)
        : (last?.atSeconds ?? 0) - (isAlone ? longestLagSeconds : passedBefore);
      const isShown = givenUp.length === 0;
      beforePause += from - Math.max(before.fromSeconds, isShown ? provenSeconds : 0);
    }
    before = span;
  }
  const resolution = Math.max(wire.resolutionSeconds, ...wire.resolutions);
  const untilNextTest = givenUp.length * (resolution + wire.jitterSeconds);
  return { seconds, outages, unseen, unseenEnd, unseenBegin, beforePause, untilNextTest };
}

/** What lists and reports have told, and is counted otherwise. */
function unexplained(
  missed: (state: TalliedState) => number,
  { unseen, unseenEnd, unseenBegin, beforePause, untilNextTest }: LifeTruth,
  { pausesInReports, unknownInReports, joinsUnknown, listsUnknownTests }: Wire,
): string[] {
  // A pause that no list has shown is what the reports say.
  const asUnknown = pausesInReports === 'unknown' ? missed('unmonitored') : 0;
  // Nor do reports that lack an unknown state, or have both as one, show when it began after a pause.
  const isBeginShown =
    unknownInReports === 'shown' && !(joinsUnknown && pausesInReports === 'unknown');
  const end = isBeginShown ? 0 : unseenEnd;
  const begin = isBeginShown ? 0 : unseenBegin;
  // Two lists that show a pause do not show what was between them.
  const between = listsUnknownTests ? 0 : unseen.unknown;
  const bounds = {
    down: [-untilNextTest, untilNextTest],
    unknown: [
      -Math.max(0, asUnknown, end) - untilNextTest,
      unseen.unknown + begin + beforePause + untilNextTest,
    ],
    unmonitored: [
      -begin - between - beforePause - untilNextTest,
      unseen.unmonitored + end + untilNextTest,
    ],
  } as const;
  const wrong = (['down', 'unknown', 'unmonitored'] as const).flatMap((state) => {
    const [least, most] = bounds[state];
    const isWrong = missed(state) < least || missed(state) > most;
    return isWrong ? [`${missed(state)} s of ${state} are missed, not ${least} to ${most}`] : [];
  });
  const isUpLost = missed('unknown') + missed('unmonitored') < -untilNextTest;
  return isUpLost ? [...wrong, `${missed('up')} s of up are missed`] : wrong;
}

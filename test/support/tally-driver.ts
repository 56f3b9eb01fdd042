import { History } from '../../sandbox/src/simulation/history.ts';
import type { MonitoredCheck, TestRun } from '../../sandbox/src/simulation/monitored-check.ts';
import type { Check } from '../../src/domain/check.ts';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import { countersOf, type KnownStates, openOutage } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import type { StateUpdate } from '../../src/tally/apply-report.ts';
import { AwaitedReports } from '../../src/tally/awaited-reports.ts';
import {
  isAhead,
  type ListTimes,
  listTimesOf,
  longestLagSeconds,
  newestOf,
} from '../../src/tally/list-times.ts';
import { interruptedUntil, settle, withEvidence } from '../../src/tally/settle.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';
import { CountingModel } from '../slo/support/counting-model.ts';
import { FailingStore } from './failing-store.ts';

export const monthStart = 1_767_225_600;
const minute = 60;
const hour = 60 * minute;
/** A report may lack an outage that began within this time before it. */
const missedSeconds = 30 * minute;
/** The outcome of a test is listed within this time. */
const lateOutcomeSeconds = 30;
export const day = 24 * hour;

export interface Scenario {
  readonly seed: number;
  readonly resolutionMinutes: number;
  readonly dialect: '3.1' | '2.x';
  /**
   * Lists are read at least once per resolution, none fails, and there are no restarts, so every
   * state is seen.
   */
  readonly watchful: boolean;
  readonly days: number;
  /**
   * Reports lag by at most this many seconds. Lists lag too, unless every state must be seen. By
   * default 0.
   */
  readonly lagSeconds?: number;
  /** A list may show the time of a test before its outcome. By default false. */
  readonly hasLateOutcomes?: boolean;
}

/** The counted time of a check, with its counters. */
export type CountedTally = StateTally & ReturnType<typeof countersOf>;

export interface Outcome {
  readonly history: History;
  readonly check: MonitoredCheck;
  readonly tally: CountedTally;
  readonly end: number;
  /**
   * The times that lists showed before they were counted, according to a clock that could trust
   * them.
   */
  readonly looks: readonly number[];
}

/**
 * A check whose life has pauses, changes of resolution and planted disturbances in addition to
 * those of the seed.
 */
export function makeLife({ seed, resolutionMinutes, days, watchful }: Scenario) {
  const chance = dice(seed);
  const end = monthStart + days * day;
  const runs: TestRun[] = [];
  let from = monthStart - Math.floor((chance() - 0.1) * 40 * day);
  let minutes = resolutionMinutes;
  while (from < end) {
    const to = from + Math.floor(hour + chance() * 12 * day);
    const resolutionSeconds = minutes * minute;
    const phaseSeconds = Math.floor(chance() * resolutionSeconds);
    const open = to >= end;
    runs.push({ from, resolutionSeconds, phaseSeconds, ...(!open && { to }) });
    const shortest = watchful ? 2 * resolutionSeconds : 1;
    const pause = chance() < 0.2 ? 0 : shortest + Math.floor(chance() ** 4 * 3 * day);
    if (pause === 0) minutes = minutes === 5 ? 1 : 5;
    from = to + pause;
  }
  const stability = (['steady', 'ordinary', 'flaky'] as const)[Math.floor(chance() * 3)];
  const check: MonitoredCheck = {
    id: 10_000_000 + seed,
    stability: stability ?? 'flaky',
    typicalResponseMilliseconds: 200,
    runs,
  };
  const history = new History({ seed });
  const plants = Math.floor(chance() * 10);
  for (let n = 0; n < plants; n++) {
    const start = monthStart + Math.floor(chance() * days * day);
    const status = (['down', 'down', 'unknown', 'up'] as const)[Math.floor(chance() * 4)] ?? 'up';
    const length = 1 + Math.floor(chance() ** 4 * 3 * day);
    history.plant({ checkId: check.id, status, from: start, to: start + length });
  }
  return { history, check, end };
}

/** The list entry at a moment, in the domain's form. */
export function entryAt(
  history: History,
  check: MonitoredCheck,
  time: number,
  dialect: Scenario['dialect'] = '3.1',
): Check {
  const run = check.runs.findLast(({ from }) => from <= time) ?? check.runs[0];
  const lastTest = history.lastTest(check, time);
  const lastError = history.lastErrorTime(check, time);
  const outage = dialect === '3.1' ? history.lastOutage(check, time) : undefined;
  return {
    id: check.id,
    name: 'simulated',
    type: 'http',
    tags: [],
    status: history.stateAt(check, time),
    ...(run !== undefined && { resolutionSeconds: run.resolutionSeconds }),
    ...(lastTest !== undefined && { lastTestAtSeconds: lastTest.time }),
    ...(lastError !== undefined && { lastErrorAtSeconds: lastError }),
    ...(outage !== undefined && { lastDownStartAtSeconds: outage.start }),
    ...(outage?.end !== undefined && { lastDownEndAtSeconds: outage.end }),
  };
}

/**
 * The list entry while the outcome of the last test is missing. A failure may be listed late, and in
 * 3.1 a recovery: lists of 2.x never show its time.
 */
function entryBeforeOutcome(
  history: History,
  check: MonitoredCheck,
  time: number,
  dialect: Scenario['dialect'],
): Check {
  const current = entryAt(history, check, time, dialect);
  const { status, lastTestAtSeconds: at } = current;
  if (at === undefined || time - at >= lateOutcomeSeconds) return current;
  const before = entryAt(history, check, at - 1, dialect);
  const mayBeLate =
    (before.status === 'up' && (status === 'down' || status === 'unconfirmed_down')) ||
    (before.status === 'down' && status === 'up' && dialect === '3.1');
  return mayBeLate ? { ...before, lastTestAtSeconds: at } : current;
}

/**
 * The service's outage report at `asked`. It may end at `asOf`, and lack the outages that were
 * confirmed in the half hour before.
 */
export function reportAt(
  history: History,
  check: MonitoredCheck,
  from: number,
  asked: number,
): StateSpan<MonitoredState>[] {
  return history
    .segments(check, from, asked)
    .map(({ status, from: start, to }) => ({ state: status, fromSeconds: start, toSeconds: to }));
}

/** Another check of the account, which is tested every minute and always up. */
function neighbour(time: number): Check {
  return {
    id: 1,
    name: 'neighbour',
    type: 'http',
    tags: [],
    status: 'up',
    lastTestAtSeconds: Math.floor(time / minute) * minute,
  };
}

/**
 * Runs an exporter with one check of an account. It reads the list, gets reports late or not at
 * all, restarts from its store, fails to store, and has a clock that steps. `onExposed` gets every
 * tally that is on the page.
 */
export async function play(
  scenario: Scenario,
  onExposed: (tally: CountedTally) => void,
): Promise<Outcome> {
  const { history, check, end } = makeLife(scenario);
  const { watchful, dialect, lagSeconds = 0, hasLateOutcomes = false } = scenario;
  const chance = dice(scenario.seed + 1_000_003);
  const delay = dice(scenario.seed + 2_000_003);
  const lag = dice(scenario.seed + 3_000_003);
  const store = new FailingStore(new MemoryStore());
  const shortestResolution = Math.min(...check.runs.map((run) => run.resolutionSeconds));
  const looks: number[] = [];
  let known: KnownStates | undefined;
  let reports = new AwaitedReports();
  let isPending = false;
  let reportAfter = 0;
  let clockOffset = 0;
  let dirty = false;
  let durableLooks = 0;
  let lastLook: number | undefined;
  let newest: Check | undefined;
  let hasMissed = false;
  /** What was recorded, from first sight on, to compare the log with a model of it. */
  let first: KnownStates | undefined;
  let model: CountingModel | undefined;
  const records: StateUpdate[] = [];
  let durableRecords = 0;

  const count = (before: KnownStates, update: StateUpdate) => {
    records.push(update);
    if (model !== undefined) recordIn(model, update);
    return keep(withCounted(before, update));
  };
  const keep = async (fresh: KnownStates) => {
    known = fresh;
    dirty = true;
    store.failWith(
      chance() < 0.1 ? new StoreError('full', 'no space is left on the device') : undefined,
    );
    const items = { check: new Map([[check.id, fresh]]) };
    await store.commit({ account: 'a', items }).then(
      () => {
        dirty = false;
        durableRecords = records.length;
        model?.requireSame(fresh);
        onExposed(withCounters(fresh));
      },
      (error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
      },
    );
  };
  /** Seconds before and after the service makes a list. */
  const slowness = () => Math.floor(delay() ** 4 * 60);
  /** The time of the data in a list or a report that is read at a moment. */
  const asOf = (time: number) =>
    lagSeconds === 0 ? time : time - Math.floor(lag() * (lagSeconds + 1));
  const look = async (now: number) => {
    const time = watchful ? now : asOf(now);
    const receivedAtSeconds = now + clockOffset + slowness();
    const isLate = hasLateOutcomes && lag() < 0.5;
    const listed = (isLate ? entryBeforeOutcome : entryAt)(history, check, time, dialect);
    const before = newest;
    const entry = newestOf(before, listed, receivedAtSeconds);
    newest = entry;
    // While nothing is tested, only the exporter's clock shows how much time has passed.
    const others = clockOffset > 0 || delay() < 0.7 ? [neighbour(time)] : [];
    const seen = listTimesOf([entry, ...others], {
      requestedAtSeconds: now + clockOffset - slowness(),
      receivedAtSeconds,
      ...(lastLook !== undefined && { elapsedSeconds: receivedAtSeconds - clockOffset - lastLook }),
    });
    lastLook = receivedAtSeconds - clockOffset;
    const isBelieved = !isAhead(entry.lastTestAtSeconds ?? 0, receivedAtSeconds);
    // A list that lags cannot change counted time.
    if (isBelieved && time >= (known?.states.horizonSeconds ?? 0)) looks.push(time);
    if (known === undefined) {
      first = atFirstSight(entry, seen);
      model = modelOf(first, []);
      return keep(first);
    }
    reports.read(seen);
    const interrupted = before && interruptedUntil(before, entry, seen);
    const settlement = settle(withEvidence(known.states, interrupted), entry, seen);
    const { report: horizon } = settlement;
    if (horizon !== undefined) {
      if (!isPending) reportAfter = now + Math.floor(chance() ** 6 * 12 * hour);
    }
    reports.listed(entry, settlement, now * 1000);
    isPending = horizon !== undefined;
    if (settlement.tally !== known.states || dirty) await count(known, settlement);
    if (!dirty) durableLooks = looks.length;
  };
  const report = async (asked: number) => {
    if (known === undefined || newest === undefined) return;
    if (reports.due(asked * 1000).length === 0 || chance() < 0.2) return;
    const question = reports.ask(check.id, known.states, asked);
    if (question === undefined) return;
    const complete = reportAt(history, check, known.states.horizonSeconds, asOf(asked));
    const lacksOutages = lagSeconds > 0 && !hasMissed && lag() < 0.1;
    hasMissed = lacksOutages;
    // What the report cuts off began before it.
    const lacksFromSeconds = Math.max(asked - missedSeconds, question.fromSeconds + 1);
    const states = lacksOutages ? withoutOutages(complete, lacksFromSeconds) : complete;
    const response = { items: shuffle(states, chance), isReadable: true };
    const answer = reports.apply(question, response, known.states, newest);
    reports.answered(question, response, answer.recorded.length > 0, asked * 1000);
    if (answer.tally !== known.states) await count(known, answer);
    isPending = false;
  };

  let time = monthStart + Math.floor(chance() * day);
  while (time < end) {
    if (watchful || chance() < 0.9) await look(time);
    if (time >= reportAfter) await report(time);
    if (!watchful && chance() < 0.01) {
      known = (await store.load('a')).items.check.get(check.id);
      // A crash loses the unstored data of a list, which no page has shown.
      if (dirty) looks.length = durableLooks;
      records.length = durableRecords;
      model = first && modelOf(first, records);
      dirty = false;
      reports = new AwaitedReports();
      isPending = false;
      lastLook = undefined;
      time += Math.floor(chance() ** 3 * 4 * day);
    }
    if (!watchful && chance() < 0.02) clockOffset = Math.floor((chance() - 0.5) * 6 * hour);
    if (chance() < 0.1) clockOffset = 0;
    const longest = watchful ? shortestResolution : 20 * minute;
    time += 1 + Math.floor((watchful ? 0.5 + 0.5 * chance() : chance()) * (longest - 1));
  }
  clockOffset = 0;
  // A failure that is not confirmed yet waits for the next tests, and so does a check that was
  // resumed but not yet tested.
  const step = watchful ? shortestResolution : 5 * minute;
  // The report about a pause is complete once the longest possible lag has passed.
  const longest = Math.ceil((2 * (longestLagSeconds + lagSeconds)) / step);
  for (let catchUp = 0; catchUp < 40 + longest; catchUp++) {
    time = Math.max(time, end) + step;
    await look(time);
    await report(time);
  }
  if (known === undefined) throw new Error('the check was never seen');
  return { history, check, tally: withCounters(known), end: time, looks };
}

function atFirstSight(entry: Check, seen: ListTimes): KnownStates {
  const states = startTally(entry, seen);
  const log = logAtFirstSight(entry, entry.status, states.startSeconds);
  return { states, ...(log !== undefined && { log }) };
}

function modelOf(first: KnownStates, records: readonly StateUpdate[]): CountingModel {
  const { startSeconds, state } = first.states;
  const sinceSeconds = openOutage(first)?.sinceSeconds;
  const isPastKnown = first.log === undefined || first.log.knownFromSeconds < startSeconds;
  const open = state === 'down' ? { sinceSeconds } : undefined;
  const model = new CountingModel({ startSeconds, isPastKnown, open });
  for (const update of records) recordIn(model, update);
  return model;
}

function recordIn(model: CountingModel, { recorded, tally }: StateUpdate): void {
  if (recorded.length === 0) return;
  model.record(recorded, { atSeconds: tally.horizonSeconds, state: tally.state });
}

function withCounters(known: KnownStates): CountedTally {
  return { ...known.states, ...countersOf(known) };
}

/** A report that lacks the latest outages, which the next one has. */
function withoutOutages(states: readonly StateSpan<MonitoredState>[], fromSeconds: number) {
  return states.map((span) =>
    span.state === 'down' && span.fromSeconds >= fromSeconds
      ? { ...span, state: 'up' as const }
      : span,
  );
}

function shuffle<T>(items: readonly T[], chance: () => number): T[] {
  return items
    .map((item) => ({ item, order: chance() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function dice(seed: number): () => number {
  let draws = 0;
  return () => hashUnit(seed, ++draws);
}

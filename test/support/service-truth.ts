import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { reportedStates } from '../../sandbox/src/simulation/transaction-states.ts';
import type { ResultStatus } from '../../src/domain/results.ts';

export type StateSeconds = Readonly<Record<'up' | 'down' | 'unknown' | 'unmonitored', number>>;

/** [from, to) in UNIX seconds. */
export interface Span {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

interface StateTruth {
  readonly seconds: StateSeconds;
  readonly outages: number;
  /** Seconds of unknown and unmonitored spans without any list. */
  readonly unseen: { readonly unknown: number; readonly unmonitored: number };
  /**
   * Seconds between the last list of a pause and the unknown state that follows it. A list proves
   * the pause up to the newest test of the account that it shows.
   */
  readonly pausedBeforeUnknown: number;
  /** Seconds of unknown states that follow a pause, before the first list of them. */
  readonly unknownBeforeList: number;
}

interface State extends Span {
  readonly state: 'up' | 'down' | 'unknown';
}

/**
 * The sandbox's states of a check in a span; `looks` are the times that the lists show. A pause that
 * ends within `lagSeconds` of them may be over when they are read.
 */
export function checkStates(
  { world, history }: Pick<Sandbox, 'world' | 'history'>,
  id: number,
  span: Span,
  now: number,
  looks: readonly number[] = [],
  lagSeconds = 0,
): StateTruth {
  const check = world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const segments = [...history.segments(check, span.fromSeconds, span.toSeconds, now)];
  // An unknown state after a pause tells how the pause may be counted, also if the span ends in it.
  const [next] = history.segments(check, span.toSeconds, now, now);
  if (next?.status === 'unknown') {
    segments.push({ status: 'unknown', from: span.toSeconds, to: span.toSeconds });
  }
  const provenAt = (look: number) =>
    Math.max(...world.checks.map((one) => history.lastTest(one, look)?.time ?? 0));
  // A check that was resumed is listed as unknown until its first test.
  const pausedUntil = (from: number) =>
    check.runs.find((run) => run.from >= from)?.from ?? Number.POSITIVE_INFINITY;
  return addUp(
    segments.map(({ status, from, to }) => ({ state: status, fromSeconds: from, toSeconds: to })),
    span,
    { looks, lagSeconds, provenAt, pausedUntil },
  );
}

/** The same for a transaction. */
export function transactionStatesTruth(
  { world, history }: Pick<Sandbox, 'world' | 'history'>,
  id: number,
  span: Span,
  now: number,
): StateTruth {
  const transaction = world.transactions.find(id);
  if (transaction === undefined) throw new Error(`the sandbox has no transaction ${id}`);
  const period = { from: span.fromSeconds, to: now };
  // A report of a day later reaches all that an earlier one did.
  const states = reportedStates(history, transaction, period, now + 86_400, world.wire);
  const pausedUntil = () => Number.POSITIVE_INFINITY;
  const cut = states.flatMap(({ status, from, to }): State[] => {
    const toSeconds = Math.min(to, span.toSeconds);
    return from < toSeconds ? [{ state: status, fromSeconds: from, toSeconds }] : [];
  });
  return addUp(cut, span, { looks: [], lagSeconds: 0, provenAt: (look) => look, pausedUntil });
}

interface Lists {
  /** The times that they show. */
  readonly looks: readonly number[];
  readonly lagSeconds: number;
  /** How far a list proves what is not tested. */
  readonly provenAt: (look: number) => number;
  /** Until when lists show a pause that begins at a time. */
  readonly pausedUntil: (fromSeconds: number) => number;
}

/** The seconds of each state in a span. Time without a state was not monitored. */
function addUp(
  states: readonly State[],
  { fromSeconds, toSeconds }: Span,
  { looks, lagSeconds, provenAt, pausedUntil }: Lists,
): StateTruth {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const unseen = { unknown: 0, unmonitored: 0 };
  let outages = 0;
  let before: { readonly state: keyof StateSeconds; readonly from: number } | undefined;
  let [pausedBeforeUnknown, unknownBeforeList] = [0, 0];
  const add = (state: keyof StateSeconds, from: number, to: number) => {
    seconds[state] += to - from;
    // A change of the resolution divides an outage into two entries, which are joined here.
    if (state === 'down' && before?.state !== 'down' && from > fromSeconds) outages += 1;
    if (state === 'unknown' && before?.state === 'unmonitored') {
      const last = Math.max(...looks.filter((look) => look < from));
      pausedBeforeUnknown +=
        from - Math.max(before.from, Number.isFinite(last) ? provenAt(last) : 0);
      const first = looks.find((look) => look >= from) ?? to;
      unknownBeforeList += Math.min(first, to) - from;
    }
    before = { state, from };
    if (state !== 'unknown' && state !== 'unmonitored') return;
    const seenUntil = state === 'unmonitored' ? Math.min(to, pausedUntil(from)) - lagSeconds : to;
    if (!looks.some((look) => from <= look && look < seenUntil)) unseen[state] += to - from;
  };
  let covered = fromSeconds;
  for (const { state, fromSeconds: from, toSeconds: to } of states) {
    if (from > covered) add('unmonitored', covered, from);
    add(state, from, to);
    covered = to;
  }
  if (covered < toSeconds) add('unmonitored', covered, toSeconds);
  return { seconds, outages, unseen, pausedBeforeUnknown, unknownBeforeList };
}

export interface ResultTruth {
  readonly byStatus: Readonly<Record<ResultStatus, number>>;
  readonly responseTimes: number;
  readonly responseMilliseconds: number;
}

/** The tests of a check in a span. */
export function checkResults(
  { world, history }: Pick<Sandbox, 'world' | 'history'>,
  id: number,
  { fromSeconds, toSeconds }: Span,
): ResultTruth {
  const check = world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const byStatus = { up: 0, down: 0, unconfirmed_down: 0, unknown: 0 };
  let [responseTimes, responseMilliseconds] = [0, 0];
  for (const result of history.results(check, fromSeconds, toSeconds)) {
    byStatus[result.status] += 1;
    if (result.responseMilliseconds === undefined) continue;
    responseTimes += 1;
    responseMilliseconds += result.responseMilliseconds;
  }
  return { byStatus, responseTimes, responseMilliseconds };
}

/**
 * The average response time in milliseconds of each hour with measurements, keyed by the start of
 * the hour. Hours begin this many seconds after UTC hours.
 */
export function hourlyResponseTimes(
  { world, history }: Pick<Sandbox, 'world' | 'history'>,
  id: number,
  { fromSeconds, toSeconds }: Span,
  offset = 0,
): Map<number, number> {
  const check = world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const sums = new Map<number, { sum: number; tests: number }>();
  history.eachGoodTest(check, fromSeconds, toSeconds, (time, _, milliseconds) => {
    const hour = time - ((time - offset) % 3_600);
    const { sum, tests } = sums.get(hour) ?? { sum: 0, tests: 0 };
    sums.set(hour, { sum: sum + milliseconds, tests: tests + 1 });
  });
  return new Map([...sums].map(([hour, { sum, tests }]) => [hour, Math.round(sum / tests)]));
}

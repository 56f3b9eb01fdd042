import type { Check } from '../../../src/domain/check.ts';
import type { TalliedState } from '../../../src/domain/interval.ts';
import { logAtFirstSight } from '../../../src/slo/past.ts';
import { countersOf, type KnownStates } from '../../../src/slo/state-log.ts';
import { withCounted } from '../../../src/state/items/totals.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import { AwaitedReports, type AwaitingCheck } from '../../../src/tally/awaited-reports.ts';
import { type ListTimes, newestOf } from '../../../src/tally/list-times.ts';
import { interruptedUntil, settle, withEvidence } from '../../../src/tally/settle.ts';
import { startTally } from '../../../src/tally/start-tally.ts';
import {
  dice,
  eventfulSeconds,
  lifeSeconds,
  SimulatedLife,
  type Wire,
  within,
} from './simulated-life.ts';

/** What became of one life. */
export interface WatchedLife {
  /** The largest difference of a state from the truth, in seconds. */
  readonly wrongSeconds: number;
  /** Counted outages, less the true ones. */
  readonly wrongOutages: number;
  readonly reports: number;
  /** The share of lists up to which the check was up, but counted more than ten minutes late. */
  readonly lateShare: number;
  /** At the end, the check is counted up to the last hour. */
  readonly isCounted: boolean;
}

/** An exporter watches one life: it reads a list each minute, and asks for the awaited reports. */
export async function watchLife(wire: Wire, seed: number, restarts: boolean): Promise<WatchedLife> {
  const chance = dice(seed);
  // Another one, so that the times of lists do not depend on the number of reports.
  const ofReports = dice(-seed);
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
  let [asked, late, lists] = [0, 0, 0];
  for (let now = firstSeconds + 60; now < lifeSeconds; now += within(chance, [55, 65])) {
    if (restarts && chance() < 0.02) {
      known = await restored(store, known);
      reports = new AwaitedReports();
      place = { awaitedReport: undefined };
      listedAt = undefined;
      now += within(chance, [0, 120]);
    }
    content = Math.max(content, now - within(chance, wire.listLagSeconds));
    const listTimes: ListTimes = {
      receivedAtSeconds: now,
      passedSeconds: content - 5,
      ...(listedAt !== undefined && { elapsedSeconds: now - listedAt }),
    };
    const before: Check = entry;
    entry = newestOf(before, life.entryAt(content), now);
    listedAt = now;
    reports.read(listTimes);
    const settled = settle(
      withEvidence(known.states, interruptedUntil(before, entry, listTimes)),
      entry,
      listTimes,
    );
    known = withCounted(known, settled);
    reports.listed(place, entry, settled, now * 1000);
    if (reports.isDue(place, now * 1000)) {
      const askedAt = now + 3;
      const question = reports.ask(place, known.states, askedAt);
      if (question === undefined) throw new Error('a report that is due is not asked for');
      const lag = within(ofReports, wire.reportLagSeconds);
      const items = life.reportFrom(question.fromSeconds, askedAt, lag);
      const report = { items, isReadable: true };
      const answer = reports.apply(place, question, report, {
        tally: known.states,
        check: entry,
      });
      const isCounted = answer.recorded.length > 0;
      reports.answered(place, question, { items, isCounted }, askedAt * 1000);
      known = withCounted(known, answer);
      asked += 1;
    }
    lists += 1;
    const lateSeconds = content - known.states.horizonSeconds - wire.resolutionSeconds;
    if (entry.status === 'up' && now < eventfulSeconds && lateSeconds > 600) late += 1;
  }
  return { ...compared(life, known), reports: asked, lateShare: late / lists };
}

async function restored(store: MemoryStore, known: KnownStates): Promise<KnownStates> {
  await store.commit({ account: 'a', items: { check: new Map([[1, known]]) } });
  const stored = (await store.load('a')).items.check.get(1);
  if (stored === undefined) throw new Error('the store has lost the check');
  return stored;
}

function compared(life: SimulatedLife, known: KnownStates) {
  const { startSeconds, horizonSeconds } = known.states;
  const counters = countersOf(known);
  const truth: Record<TalliedState, number> = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  let outages = 0;
  for (const { state, fromSeconds, toSeconds } of life.spansUntil(horizonSeconds)) {
    truth[state] += Math.max(0, toSeconds - Math.max(fromSeconds, startSeconds));
    if (state === 'down' && fromSeconds > startSeconds) outages += 1;
  }
  const states = ['up', 'down', 'unknown', 'unmonitored'] as const;
  return {
    wrongSeconds: Math.max(
      ...states.map((state) => Math.abs(truth[state] - counters.seconds[state])),
    ),
    wrongOutages: counters.outages - outages,
    isCounted: lifeSeconds - horizonSeconds <= 3_600,
  };
}

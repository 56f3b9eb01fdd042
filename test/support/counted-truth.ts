import { expect } from 'vitest';
import type { World } from '../life/world.ts';
import type { Samples } from './counter-watch.ts';
import { pausedSecondsIn, testedIn, unprovenIn } from './given-up.ts';
import { checkResults, checkStates, transactionStatesTruth } from './service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from './shown-totals.ts';
import { expectAlertsTruth } from './the-truth.ts';

const minute = 60;
const hour = 60 * minute;
/**
 * After a drought, the budget returns within an hour. A check that is tested every hour needs its
 * next tests.
 */
const mostHoursToCatchUp = 12;
/**
 * A report may have an unknown state only when it has ended; it is awaited for a day after the first
 * list that shows it, which may follow an absence.
 */
const mostHoursUnknown = 50;
/** An analysis is requested again after at most twice the time since its outage. */
const analysisHours = 6;
const nothing = { fromSeconds: 0, toSeconds: 0 };

/** Runs the exporter without faults until all previous events are counted, with their analyses. */
export async function catchUp(exporter: World): Promise<void> {
  const end = exporter.now;
  for (let waited = 0; waited < mostHoursToCatchUp; waited++) {
    await exporter.pass(hour);
    const { check, transaction } = (await exporter.disk.load('shop')).items;
    const booked = [...check.values(), ...transaction.values()];
    const samples = await exporter.scrape();
    const isAnalysed = [...check].every(([id, { states }]) => {
      const begins = outageBegins(exporter, id, { from: states.startSeconds, to: end });
      return shownAnalyses(samples, id) >= begins.length;
    });
    if (isAnalysed && booked.every(({ states }) => states.horizonSeconds >= end)) return;
  }
}

/** The times (UNIX seconds) that the lists with a check show. */
export type Looks = (checkId: number) => readonly number[];

/** Every counter of a life agrees with the service to the second. */
export async function expectWholeTruth(exporter: World, looks: Looks): Promise<void> {
  const samples = await exporter.scrape();
  const { items: stored } = await exporter.disk.load('shop');
  const { sandbox, now } = exporter;
  expect([...stored.check.keys()].sort()).toEqual(sandbox.world.checks.map(({ id }) => id).sort());
  expect(stored.transaction.size).toBe(sandbox.world.transactions.all.length);
  await expectCountedTruth(exporter, samples, looks);
  for (const [id, item] of stored.check) {
    expect(readSpan(item).fromSeconds).toBe(bookedSpan(item).fromSeconds);
    expectAnalyses(exporter, samples, id, bookedSpan(item).fromSeconds);
  }
  for (const [id, { states }] of [...stored.check, ...stored.transaction]) {
    const check = sandbox.world.check(id);
    const isUnknown =
      check !== undefined &&
      sandbox.history
        .segments(check, now - 2 * mostHoursUnknown * hour, now)
        .some(({ status }) => status === 'unknown');
    const mostHours = isUnknown ? mostHoursUnknown : mostHoursToCatchUp;
    expect(now - states.horizonSeconds, `horizon of ${id}`).toBeLessThan(mostHours * hour);
    const firstSeen = looks(id)[0] ?? Number.NaN;
    expect(Math.abs(states.startSeconds - firstSeen)).toBeLessThan(5 * minute);
  }
  await expectAlertsTruth(exporter);
  expect(exporter.watch.backsteps).toEqual([]);
}

/**
 * At any moment, the seconds, outages and results on the page are those of the service up to the
 * horizon of each item.
 */
export async function expectCountedTruth(
  exporter: World,
  samples: Samples,
  looks: Looks,
): Promise<void> {
  const { sandbox, now } = exporter;
  const { items: stored } = await exporter.disk.load('shop');
  for (const [id, item] of stored.check) {
    const span = bookedSpan(item);
    const { pausesInReports, unknownInReports, listLagSeconds } = sandbox.world.wire;
    // Reports do not tell a pause from an unknown state, and a list may be older than its end.
    const lagSeconds = pausesInReports === 'unknown' ? listLagSeconds.max : 0;
    const truth = checkStates(sandbox, id, span, now, looks(id), lagSeconds);
    const { seconds, outages } = shownOf(samples, 'check', 'shop', id);
    const { up, down } = seconds;
    expect(up + down + seconds.unknown + seconds.unmonitored).toBe(
      span.toSeconds - span.fromSeconds,
    );
    let [pausedSeconds, unprovenSeconds, unprovenDown] = [0, 0, 0];
    for (const gap of item.log?.givenUp ?? []) {
      const tested = testedIn(sandbox, id, gap, now);
      pausedSeconds += pausedSecondsIn(tested, gap);
      const { fromSeconds, toSeconds } = unprovenIn(tested, gap) ?? nothing;
      unprovenSeconds += toSeconds - fromSeconds;
      if (tested[0]?.status === 'down') unprovenDown += toSeconds - fromSeconds;
    }
    expect({ id, outages }).toEqual({ id, outages: truth.outages });
    const missedDown = truth.seconds.down - down;
    expect(missedDown, `down of check ${id}`).toBeGreaterThanOrEqual(0);
    expect(missedDown, `down of check ${id}`).toBeLessThanOrEqual(unprovenDown);
    const missed = (state: 'unknown' | 'unmonitored') => truth.seconds[state] - seconds[state];
    // A pause that no list has shown is what the reports say.
    const reportedAsUnknown = pausesInReports === 'unknown' ? missed('unmonitored') : 0;
    // Nor do reports that lack both show when a pause became an unknown state: a list does.
    const isLeftOut = unknownInReports === 'absent';
    const unseenEnd = isLeftOut ? truth.pausedBeforeUnknown : 0;
    const unseenBegin = isLeftOut ? truth.unknownBeforeList : 0;
    const least = {
      unknown: -Math.max(0, reportedAsUnknown, unseenEnd, pausedSeconds) - unprovenSeconds,
      unmonitored: -unseenBegin,
    };
    for (const state of ['unknown', 'unmonitored'] as const) {
      expect(missed(state), `${state} of check ${id}`).toBeGreaterThanOrEqual(least[state]);
      const untold = state === 'unmonitored' ? Math.max(unseenEnd, pausedSeconds) : unseenBegin;
      const most = truth.unseen[state] + untold;
      expect(missed(state), `${state} of check ${id}`).toBeLessThanOrEqual(most);
    }
    // Whatever lists and reports do not tell apart, no second of a tested state is lost.
    expect(missed('unknown') + missed('unmonitored'), `up of check ${id}`).toBeGreaterThanOrEqual(
      -unprovenSeconds,
    );
    const results = checkResults(sandbox, id, readSpan(item));
    const shown = shownResults(samples, 'shop', id);
    const overlooked = results.byStatus.unconfirmed_down - shown.byStatus.unconfirmed_down;
    expect(overlooked, `failures of check ${id}`).toBeGreaterThanOrEqual(0);
    expect(overlooked, `failures of check ${id}`).toBeLessThanOrEqual(
      lateFailures(sandbox, id, readSpan(item)),
    );
    const { unconfirmed_down } = results.byStatus;
    expect({ id, ...shown, byStatus: { ...shown.byStatus, unconfirmed_down } }).toEqual({
      id,
      ...results,
    });
  }
  for (const [id, item] of stored.transaction) {
    const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
    const shown = shownOf(samples, 'transaction', 'shop', id);
    expect({ id, ...shown }).toEqual({ id, seconds, outages });
  }
}

/** Results are read when they are so old, and again so far before the watermark (decision 7). */
const [settlingSeconds, rereadSeconds] = [120, 300];

/**
 * How many first failed tests were not listed yet when they were read last. They leave no gap if
 * another probe has repeated them, so the watermark does not wait for them.
 */
function lateFailures(
  { world, history }: World['sandbox'],
  id: number,
  { fromSeconds, toSeconds }: { readonly fromSeconds: number; readonly toSeconds: number },
): number {
  const check = world.check(id);
  if (check === undefined || world.wire.confirmationSeconds === 0) return 0;
  return [...history.results(check, fromSeconds, toSeconds)].filter(({ status, time }) => {
    const isReadAgain = time < toSeconds - rereadSeconds;
    const readSeconds = settlingSeconds + (isReadAgain ? rereadSeconds : 0);
    return status === 'unconfirmed_down' && !world.lags.isListed(id, time, time + readSeconds);
  }).length;
}

/** Every outage is counted with its analysis. Those of the last hours may still wait for theirs. */
function expectAnalyses(exporter: World, samples: Samples, id: number, from: number): void {
  const { now } = exporter;
  const begins = outageBegins(exporter, id, { from, to: now });
  const settled = begins.filter((start) => start < now - analysisHours * hour);
  const shown = shownAnalyses(samples, id);
  expect(shown, `analyses of check ${id}`).toBeGreaterThanOrEqual(settled.length);
  expect(shown, `analyses of check ${id}`).toBeLessThanOrEqual(begins.length);
}

/** The starts of a check's outages; UNIX seconds. */
function outageBegins(
  { sandbox, now }: World,
  id: number,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const check = sandbox.world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  return [...sandbox.history.outages(check, from, now)]
    .map(({ start }) => start)
    .filter((start) => from <= start && start < to);
}

function shownAnalyses(samples: Samples, id: number): number {
  return samples.get(`uptime_check_analyses_total{account="shop",check_id="${id}"}`) ?? 0;
}

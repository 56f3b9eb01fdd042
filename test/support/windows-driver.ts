import { expect } from 'vitest';
import type { TimeRange } from '../../src/domain/interval.ts';
import { present } from '../../src/lib/present.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { withPast } from '../../src/slo/log-past.ts';
import { logAtFirstSight, missingPast } from '../../src/slo/past.ts';
import {
  errorRanges,
  rangeEnd,
  rangeLengths,
  secondsByRange,
} from '../../src/slo/range-seconds.ts';
import type { StateLog } from '../../src/slo/state-log.ts';
import { type CheckTotals, checkWithCounted } from '../../src/state/items/totals.ts';
import { sloCheck } from '../../src/state/standing/account-slo.ts';
import { logBody, readLog } from '../../src/store/format/items.ts';
import type { Horizon } from '../../src/tally/advance.ts';
import { applyReport, fillSpans } from '../../src/tally/apply-report.ts';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { listTimesOf } from '../../src/tally/list-times.ts';
import { startResultTally } from '../../src/tally/result-tally.ts';
import { settle } from '../../src/tally/settle.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import { day, entryAt, makeLife, monthStart, reportAt } from './tally-driver.ts';

const hour = 3_600;

/** The state of every second. */
class Truth {
  readonly #from: number;
  readonly #seconds: Uint8Array;

  constructor(from: number, to: number) {
    this.#from = from;
    this.#seconds = new Uint8Array(to - from);
  }

  fill(value: number, from: number, to: number): void {
    this.#seconds.fill(value, Math.max(0, from - this.#from), Math.max(0, to - this.#from));
  }

  count(value: number, from: number, to: number): number {
    let count = 0;
    for (let at = from - this.#from; at < to - this.#from; at++) {
      if (this.#seconds[at] === value) count += 1;
    }
    return count;
  }
}

const up = 1;
const down = 2;

function restored(log: StateLog): StateLog {
  return readLog(JSON.parse(JSON.stringify(logBody({ log, version: 1 })))).log;
}

export interface WindowsLife {
  readonly seed: number;
  readonly resolutionMinutes: number;
  readonly days: number;
}

/**
 * Watches a check from some day on, gets its outages late, and restarts from its store. Compares at
 * random moments.
 */
export function playWindows({ seed, resolutionMinutes, days }: WindowsLife): number {
  const dialect = seed % 3 === 0 ? '2.x' : '3.1';
  const scenario = { seed, resolutionMinutes, dialect, watchful: true, days } as const;
  const { history, check, end } = makeLife(scenario);
  let draws = 0;
  const chance = () => hashUnit(seed + 77, ++draws);
  const created = check.runs[0]?.from ?? monthStart;
  const entry = (at: number) => ({
    ...entryAt(history, check, at, dialect),
    createdAtSeconds: created,
  });
  const maintenance: TimeRange[] = Array.from({ length: Math.floor(chance() * 6) }, () => {
    const fromSeconds = monthStart + Math.floor((chance() * 45 - 15) * day);
    return { fromSeconds, toSeconds: fromSeconds + Math.floor(chance() * 6 * hour) };
  });
  let reported: readonly TimeRange[] = [];
  let totals: CheckTotals | undefined;
  let pending: Horizon | undefined;
  let reportAfter = 0;
  let pastAfter = 0;
  let last: number | undefined;
  let compared = 0;
  const resolution = Math.min(...check.runs.map(({ resolutionSeconds }) => resolutionSeconds));
  let time = Math.max(created + 60, monthStart + Math.floor(chance() * 2 * day));
  const start = time;
  let pastAsked = false;
  while (time < end) {
    const listed = entry(time);
    const neighbour = { ...listed, id: 1, status: 'up', lastTestAtSeconds: time - 1 } as const;
    const look = listTimesOf([listed, neighbour], {
      requestedAtSeconds: time,
      receivedAtSeconds: time,
      ...(last !== undefined && { elapsedSeconds: time - last }),
    });
    last = time;
    if (totals === undefined) {
      const states = startTally(listed, look);
      const first = logAtFirstSight(listed, listed.status, states.startSeconds);
      totals = {
        states,
        results: startResultTally(time, [1]),
        analyses: startEventTally(time),
        ...(first !== undefined && { log: first }),
      };
      pastAfter = time + Math.floor(chance() * 2 * day);
    } else {
      const settled = settle(totals.states, listed, look);
      if (settled.tally !== totals.states) totals = checkWithCounted(totals, settled, reported);
      if (settled.report !== undefined && pending === undefined) {
        reportAfter = time + Math.floor(chance() ** 6 * 12 * hour);
      }
      pending = settled.report;
    }
    if (pending !== undefined && time >= reportAfter) {
      const { horizonSeconds } = totals.states;
      const states = reportAt(history, check, horizonSeconds, time);
      const update = applyReport(totals.states, states, pending, horizonSeconds);
      totals = checkWithCounted(totals, update, reported);
      pending = undefined;
    }
    const past = missingPast(totals, listed);
    if (past !== undefined && time >= pastAfter && totals.log !== undefined) {
      if (totals.states.horizonSeconds > totals.states.startSeconds) {
        pastAsked = true;
        const states = reportAt(history, check, past.fromSeconds, time);
        const spans = fillSpans(states, past.fromSeconds, past.toSeconds);
        totals = {
          ...totals,
          log: withPast(totals.log, spans, totals.states.horizonSeconds),
        };
      }
    }
    if (chance() < 0.001) {
      const { log } = totals;
      const stored = log && restored(log);
      expect(stored).toEqual(log);
      totals = { ...totals, ...present({ log: stored }) };
    }
    // Maintenance is reported a day after its end.
    reported = maintenance.filter(({ toSeconds }) => toSeconds + day < time);
    if (chance() < (2 * resolution) / day) compared += compare(totals, time);
    time += 1 + Math.floor((0.5 + 0.5 * chance()) * (resolution - 1));
  }
  return compared;

  function compare(known: CheckTotals, now: number): number {
    const ends = rangeEnd(known, sloCheck(entry(now)), now);
    const counted = secondsByRange(
      { ...known, createdAtSeconds: created, occurrences: reported },
      ends,
    );
    const first = ends - 36 * day;
    const truth = new Truth(first, ends);
    for (const span of reportAt(history, check, first, ends + day)) {
      if (span.fromSeconds >= ends || span.state === 'unknown') continue;
      truth.fill(span.state === 'up' ? up : down, span.fromSeconds, Math.min(ends, span.toSeconds));
    }
    for (const { fromSeconds, toSeconds } of reported) truth.fill(0, fromSeconds, toSeconds);
    for (const window of errorRanges) {
      const found = counted[window];
      const begin = Math.max(created, ends - rangeLengths[window]);
      if (found === undefined) {
        expect(missingPast(known, { createdAtSeconds: created })).toBeDefined();
        continue;
      }
      const wanted = { up: truth.count(up, begin, ends), down: truth.count(down, begin, ends) };
      // Paused or unknown time before first sight counts as up if no report was read.
      const isOld = begin < start && !pastAsked;
      expect({ seed, window, down: found.down }).toEqual({ seed, window, down: wanted.down });
      if (!isOld) expect({ seed, window, ...found }).toEqual({ seed, window, ...wanted });
    }
    return 1;
  }
}

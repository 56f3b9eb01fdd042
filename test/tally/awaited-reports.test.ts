import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import { countersOf, type KnownStates } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
import { AwaitedReports, type AwaitingCheck } from '../../src/tally/awaited-reports.ts';
import type { ReportUpdate } from '../../src/tally/count-report.ts';
import { interruptedUntil, settle, withEvidence } from '../../src/tally/settle.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';

const minute = 60;
const start = 1_767_225_600;
const at = (minutes: number) => start + minutes * minute;

/** Minutes after the horizon. */
function span(state: MonitoredState, from: number, to: number): StateSpan<MonitoredState> {
  return { state, fromSeconds: at(from), toSeconds: at(to) };
}

interface Listed {
  readonly status?: Check['status'];
  /** Minutes after the first horizon. */
  readonly tested: number;
  readonly failed?: number;
  readonly down?: readonly [from: number, to?: number];
  readonly resolution?: number;
  /** The time that the list proves, by the tests of other checks; by default almost its own. */
  readonly passed?: number;
}

function entry({ status = 'up', tested, failed, down, resolution = 1 }: Listed): Check {
  return {
    id: 7,
    name: 'shop',
    type: 'http',
    tags: [],
    status,
    resolutionSeconds: resolution * minute,
    lastTestAtSeconds: at(tested),
    ...(failed !== undefined && { lastErrorAtSeconds: at(failed) }),
    ...(down !== undefined && { lastDownStartAtSeconds: at(down[0]) }),
    ...(down?.[1] !== undefined && { lastDownEndAtSeconds: at(down[1]) }),
  };
}

/** A check that is tested every minute, and was up until the horizon, at minute 0. */
class Watch {
  #known: KnownStates = {
    states: {
      startSeconds: at(-60),
      horizonSeconds: start,
      state: 'up',
      resolutionSeconds: minute,
    },
  };
  #reports = new AwaitedReports();
  #place: AwaitingCheck = { awaitedReport: undefined };
  #entry = entry({ tested: 0 });
  #listedAt = 0;

  readonly #looksForPauses: boolean;

  constructor(state: 'up' | 'down' = 'up', looksForPauses = false) {
    this.#known = { states: { ...this.tally, state } };
    this.#looksForPauses = looksForPauses;
  }

  /** A list, which is read this many minutes after the horizon. */
  list(minutes: number, listed: Listed, intervalMinutes = 1): this {
    const seconds = at(minutes);
    const elapsedSeconds = (minutes - this.#listedAt) * minute;
    const times = {
      receivedAtSeconds: seconds,
      passedSeconds: listed.passed === undefined ? seconds - 5 : at(listed.passed),
      elapsedSeconds,
      // Other lists were read in between, and showed nothing new.
      unlistedSeconds: this.#looksForPauses ? elapsedSeconds : minute,
      intervalSeconds: intervalMinutes * minute,
    };
    const before = this.#entry;
    this.#entry = entry(listed);
    this.#listedAt = minutes;
    this.#reports.read(times);
    const evidence = interruptedUntil(before, this.#entry, times);
    const tally = withEvidence(this.tally, evidence);
    const proven = settle(tally, this.#entry, times);
    const settled = this.#looksForPauses
      ? this.#reports.afterAbsence(this.#place, this.#entry, tally, proven, seconds * 1000)
      : proven;
    this.#reports.listed(this.#place, this.#entry, settled, seconds * 1000);
    this.#known = withCounted(this.#known, settled);
    return this;
  }

  /** Only the tally is stored. */
  restart(): this {
    this.#reports = new AwaitedReports();
    this.#place = { awaitedReport: undefined };
    return this;
  }

  get isAwaited(): boolean {
    return this.#place.awaitedReport !== undefined;
  }

  /** The report is awaited only because of an absence. */
  get mayWait(): boolean {
    return this.#place.awaitedReport?.hidden !== undefined;
  }

  dueAt(minutes: number): boolean {
    return this.#reports.isDue(this.#place, at(minutes) * 1000);
  }

  report(
    minutes: number,
    items: readonly StateSpan<MonitoredState>[],
    isReadable = true,
  ): ReportUpdate | undefined {
    const question = this.#reports.ask(this.#place, this.tally, at(minutes));
    if (question === undefined) return undefined;
    const report = { items, isReadable };
    const answer = this.#reports.apply(this.#place, question, report, {
      tally: this.tally,
      check: this.#entry,
    });
    this.#known = withCounted(this.#known, answer);
    const isCounted = answer.recorded.length > 0;
    const read = { items: report.items, isCounted, tally: this.tally };
    this.#reports.answered(this.#place, question, read, at(minutes) * 1000);
    return answer;
  }

  get tally(): StateTally {
    return this.#known.states;
  }

  get seconds() {
    return countersOf(this.#known).seconds;
  }

  /** Minutes from the first horizon to the present one. */
  get counted(): number {
    return (this.tally.horizonSeconds - start) / minute;
  }

  get downMinutes(): number {
    return this.seconds.down / minute;
  }
}

const outage = [span('up', 0, 4), span('down', 4, 7), span('up', 7, 12)];
const listedOutage = { tested: 12, failed: 6, down: [4, 7] } as const;

describe('after an absence', () => {
  const watching = () => new Watch('up', true);

  test('a list waits for a report, which shows a pause that began and ended in it', () => {
    const watch = watching().list(60, { tested: 60 });
    expect([watch.counted, watch.isAwaited, watch.mayWait]).toEqual([0, true, true]);

    watch.report(61, [span('up', 0, 20), span('up', 40, 60)]);
    expect([watch.counted, watch.seconds.unmonitored, watch.isAwaited]).toEqual([60, 1_200, false]);
  });

  test('a report that does not reach its end is requested again', () => {
    const watch = watching().list(60, { tested: 60 });
    watch.report(61, [span('up', 0, 20)]);
    expect([watch.counted, watch.isAwaited]).toEqual([20, true]);

    watch.list(62, { tested: 62 }).report(63, [span('up', 0, 20), span('up', 40, 60)]);
    expect([watch.counted, watch.seconds.unmonitored, watch.isAwaited]).toEqual([62, 1_200, false]);
  });

  test('the list decides after 25 minutes, and at once on an absence of a few minutes', () => {
    const long = watching().list(60, { tested: 60 }).list(84, { tested: 84 });
    expect(long.counted).toBe(0);
    expect(long.list(85, { tested: 85 }).counted).toBe(85);

    expect(watching().list(10, { tested: 10 }).counted).toBe(10);
  });

  test('lists that are rare by plan are no absence', () => {
    expect(watching().list(21, { tested: 21 }, 20).counted).toBe(21);
    expect(watching().list(41, { tested: 41 }, 20).counted).toBe(0);
  });

  test('the last 35 minutes wait for a later report if the check failed: a list shows only its last outage', () => {
    const watch = watching().list(60, { status: 'down', tested: 60, failed: 60, down: [58] });
    watch.report(60, [span('up', 0, 58), span('down', 58, 60)]);
    expect([watch.counted, watch.downMinutes, watch.isAwaited]).toEqual([25, 0, true]);

    for (const minutes of [70, 80, 90, 94, 95]) {
      watch.list(minutes, { status: 'down', tested: minutes, failed: minutes, down: [58] });
      expect(watch.dueAt(minutes), 'only the report that is complete is requested').toBe(
        minutes >= 95,
      );
    }
    watch.report(95, [
      span('up', 0, 40),
      span('down', 40, 44),
      span('up', 44, 58),
      span('down', 58, 95),
    ]);
    expect([watch.counted, watch.downMinutes, watch.isAwaited]).toEqual([95, 41, false]);
  });

  test('an outage that is over in the first list is counted when it is 35 minutes old', () => {
    const over = { down: [30, 40] } as const;
    const watch = watching().list(60, { tested: 60, failed: 39, ...over });
    const states = [span('up', 0, 30), span('down', 30, 40), span('up', 40, 60)];
    watch.report(60, states);
    expect([watch.counted, watch.dueAt(74), watch.dueAt(75)]).toEqual([25, false, true]);

    watch.list(70, { tested: 70, failed: 39, ...over }).report(75, states);
    expect([watch.counted, watch.downMinutes]).toEqual([40, 10]);
  });

  test('the last 35 minutes wait for a later report after a restart, too', () => {
    const down = { status: 'down', down: [58] } as const;
    const watch = watching().list(60, { ...down, tested: 60, failed: 60 });
    watch.restart().list(62, { ...down, tested: 62, failed: 62 });
    watch.report(62, [span('up', 0, 58), span('down', 58, 62)]);
    expect([watch.counted, watch.downMinutes, watch.isAwaited]).toEqual([27, 0, true]);
  });

  test('a check that is unknown, without a listed test since, is counted up to the end of its report', () => {
    const watch = watching().list(60, { status: 'unknown', tested: 20 });
    watch.report(60, [span('up', 0, 28)]);
    expect([watch.counted, watch.isAwaited]).toEqual([25, true]);

    for (const minutes of [70, 80, 90]) watch.list(minutes, { status: 'unknown', tested: 20 });
    watch.report(95, [span('up', 0, 28)]);
    expect([watch.counted, watch.isAwaited]).toEqual([28, false]);
  });

  test('the report of a failure does not wait for its turn', () => {
    const watch = watching().list(60, { tested: 60 });

    watch.list(61, { status: 'down', tested: 61, failed: 61, down: [61] });
    expect([watch.mayWait, watch.dueAt(61)]).toEqual([false, true]);
  });
});

test('a report that ends in what may be a listed pause is counted up to its begin', () => {
  const watch = new Watch().list(3, { status: 'paused', tested: 2 }).list(5, { tested: 5 });
  watch.report(5.2, [span('up', 0, 2), span('unknown', 2, 2.5)]);
  expect([watch.counted, watch.seconds.unknown]).toEqual([2, 0]);

  watch.report(7, [span('up', 0, 2), span('unknown', 2, 4.5), span('up', 4.5, 6)]);
  expect([watch.counted, watch.seconds.unknown, watch.seconds.unmonitored]).toEqual([5, 0, 150]);
});

describe('how far a report proves time', () => {
  test('it is counted up to the end of its last entry, and then the newest list decides', () => {
    const short = new Watch().list(12, listedOutage);
    short.report(12.5, outage.slice(0, 2));
    expect([short.counted, short.downMinutes, short.isAwaited]).toEqual([7, 3, true]);

    const whole = new Watch().list(12, listedOutage);
    whole.report(12.5, [...outage.slice(0, 2), span('up', 7, 9)]);
    expect([whole.counted, whole.downMinutes, whole.isAwaited]).toEqual([12, 3, false]);
  });

  test('it is not counted beyond the last test that a list has shown with its outcome', () => {
    const watch = new Watch().list(5, { tested: 5, failed: 2, down: [-90, -80] });
    watch.list(6, { status: 'unconfirmed_down', tested: 6, failed: 6, down: [-90, -80] });
    watch.report(6.2, [span('up', 0, 6.2)]);

    expect(watch.counted).toBe(5);
  });

  test('it is not counted by a list whose tests are ahead of the clock', () => {
    const watch = new Watch().list(8, { status: 'unknown', tested: 5 });
    const steppedBack = -10;
    watch.list(steppedBack, { tested: 8 });
    watch.report(9, [span('up', 0, 8)]);

    expect(watch.counted).toBe(5);
  });

  test('what was older than 35 minutes when the list was read is final', () => {
    const watch = new Watch().list(40, { status: 'unknown', tested: 1 });
    watch.report(50, [span('up', 0, 10), span('unknown', 10, 50)]);
    expect(watch.counted).toBe(5);

    const later = new Watch().list(50, { status: 'unknown', tested: 1 });
    later.report(50, [span('up', 0, 10), span('unknown', 10, 50)]);
    expect(later.counted).toBe(15);
  });

  test('it is not counted beyond a failure that waits an hour for its confirmation', () => {
    const hourly = { resolution: 60, failed: 4, down: [-90, -80] } as const;
    const watch = new Watch().list(2, { resolution: 60, tested: 1 });
    watch.list(55, { ...hourly, status: 'unconfirmed_down', tested: 4 });
    watch.report(56, [span('up', 0, 56)]);

    expect(watch.counted).toBe(1);
  });
});

describe('the test at the horizon', () => {
  const isDown = [span('down', 0, 12)];

  test('has the state that a list has shown, unless the newest list has the outage, too', () => {
    const differs = new Watch().list(12, { status: 'down', tested: 12, failed: 12, down: [3] });
    differs.report(12.5, isDown);
    expect(differs.counted).toBe(0);

    const agrees = new Watch().list(12, { tested: 12, failed: 4, down: [0, 5] });
    expect(agrees.isAwaited).toBe(true);
    agrees.report(12.5, [span('down', 0, 5), span('up', 5, 12)]);
    expect([agrees.counted, agrees.downMinutes]).toEqual([12, 5]);

    const lasts = new Watch().list(12, { status: 'down', tested: 12, failed: 12, down: [-1] });
    expect(lasts.isAwaited).toBe(true);
    lasts.report(12.5, [span('down', -1, 12)]);
    expect([lasts.counted, lasts.downMinutes]).toEqual([12, 12]);

    const wasOver = new Watch().list(12, { tested: 12, failed: 4, down: [-5, -2] });
    wasOver.report(12.5, isDown);
    expect(wasOver.counted).toBe(0);
  });

  test('has the state of the report once neither list nor report can lag so far', () => {
    const watch = new Watch().list(12, { status: 'down', tested: 12, failed: 12, down: [3] });
    watch.report(34, isDown);
    expect(watch.counted).toBe(0);
    watch.report(35, isDown);
    expect(watch.counted).toBe(12);
  });
});

describe('an outage in which a report ended', () => {
  const cut = [span('up', 0, 2), span('down', 2, 5.5)];

  test('is not over where the next report lacks it and no test was due after the failed one', () => {
    const watch = new Watch().list(10, { tested: 10, failed: 5 });
    watch.report(10, cut);
    expect([watch.counted, watch.downMinutes]).toEqual([5.5, 3.5]);
    watch.report(12, [span('up', 5.5, 7)]);
    expect(watch.counted).toBe(5.5);

    watch.report(13, [span('down', 5.5, 6), span('up', 6, 10)]);
    expect([watch.counted, watch.downMinutes]).toEqual([10, 4]);
  });

  test('is not over where the next report lacks it and the list shows the start of a later one', () => {
    const watch = new Watch().list(10, { tested: 10, failed: 8, down: [8, 9] });
    watch.report(10, cut);
    watch.report(12, [span('up', 5.5, 7)]);
    expect(watch.counted).toBe(5.5);

    const later = [span('up', 6, 8), span('down', 8, 9), span('up', 9, 10)];
    watch.report(13, [span('down', 5.5, 6), ...later]);
    expect([watch.counted, watch.downMinutes]).toEqual([10, 5]);
  });

  test('is not over where the next report lacks it and the list has its start and no end', () => {
    const watch = new Watch().list(10, { status: 'unknown', tested: 10, failed: 5, down: [2] });
    watch.report(10, cut);
    watch.report(12, [span('up', 5.5, 7)]);
    expect([watch.counted, watch.downMinutes]).toEqual([5.5, 3.5]);
  });

  test('is over where the next report begins with time up and the list shows that it ended', () => {
    const watch = new Watch().list(10, { tested: 10, failed: 4, down: [2, 5] });
    watch.report(10, [span('up', 0, 2), span('down', 2, 5)]);
    watch.report(12, [span('up', 5, 10)]);
    expect([watch.counted, watch.downMinutes]).toEqual([10, 3]);

    const undated = new Watch().list(10, { tested: 10, failed: 4 });
    undated.report(10, [span('up', 0, 2), span('down', 2, 5)]);
    undated.report(12, [span('up', 5, 10)]);
    expect([undated.counted, undated.downMinutes]).toEqual([10, 3]);
  });
});

test('while lists of 2.x show a check down, without a start, the time before its outage is counted', () => {
  const watch = new Watch().list(5, { status: 'down', tested: 5, failed: 5 });
  watch.report(5.5, [span('up', 0, 4), span('down', 4, 5)]);

  expect([watch.counted, watch.downMinutes]).toEqual([5, 1]);
});

describe('a failure that a list has shown', () => {
  test('is awaited, and what lies before it is counted', () => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(12.5, [span('up', 0, 12)]);
    expect([watch.counted, watch.downMinutes]).toEqual([4, 0]);

    watch.report(13.5, outage);
    expect([watch.counted, watch.downMinutes]).toEqual([12, 3]);
  });

  test('is awaited with an earlier one, which a report that ends before it may not have confirmed', () => {
    const watch = new Watch().list(20, { status: 'down', tested: 20, failed: 20, down: [15] });
    // The next test is 13 seconds late.
    const [failed, confirmed] = [8.25, 8.25 + 73 / minute];
    watch.report(20.5, [span('up', 0, confirmed - 1 / minute)]);
    expect(watch.counted).toBeGreaterThan(8);
    expect(watch.counted).toBeLessThanOrEqual(failed);

    watch.list(22, { status: 'down', tested: 21, failed: 21, down: [15] });
    const [before, after] = [span('up', 0, failed), span('up', 12, 15)];
    watch.report(22, [before, span('down', failed, 12), after, span('down', 15, 21)]);
    expect([watch.counted, watch.downMinutes]).toEqual([21, 9.75]);
  });

  test('is given up 35 minutes after it, and reported', () => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(41, [span('up', 0, 12)]);
    const answer = watch.report(7 + 35, [span('up', 0, 12)]);

    expect(answer?.contradicted).toMatchObject([{ fromSeconds: at(4), toSeconds: at(7) }]);
    expect([watch.counted, watch.downMinutes]).toEqual([12, 0]);
  });

  test('is counted from its listed start on while the check is down', () => {
    const down = { status: 'down', down: [4] } as const;
    const watch = new Watch().list(12, { ...down, tested: 12, failed: 12 });
    watch.list(100, { ...down, tested: 100, failed: 100 });
    watch.report(100, [span('up', 0, 100)]);

    expect([watch.counted, watch.downMinutes]).toEqual([100, 96]);
  });

  test('is awaited without its outcome as well, where lists have no start of an outage', () => {
    const watch = new Watch().list(12, { tested: 12, failed: 6 });
    watch.report(12.5, [span('up', 0, 12)]);
    // It may have begun before the failed test.
    expect(watch.counted).toBe(0);
    watch.report(12.6, [span('up', 0, 2), span('down', 2, 4), span('up', 4, 12)]);
    expect(watch.counted).toBe(4);

    watch.report(6.1 + 35, [span('up', 0, 12)]);
    expect(watch.counted).toBe(12);
  });

  test.each(['unknown', 'paused'] as const)('is awaited while the check is %s', (status) => {
    const failed = { status, tested: 5, failed: 5 } as const;
    const listed = new Watch().list(38, { ...failed, down: [3, 6] });
    listed.report(39, [span('up', 0, 5)]);
    expect(listed.counted).toBe(3);

    const undated = new Watch().list(38, failed);
    undated.report(39, [span('up', 0, 5)]);
    expect(undated.counted).toBe(0);
  });

  test('is not awaited if it began before the horizon: its listed end may be a later good test', () => {
    const watch = new Watch('down').list(10, { status: 'unknown', tested: -1, down: [-20] });
    watch.list(20, { status: 'unknown', tested: 5, failed: -1, down: [-20] });
    watch.report(20, [span('down', 0, 2), span('unknown', 2, 20)]);
    watch.list(31, { tested: 31, failed: -1, down: [-20, 30] });
    watch.report(31.5, [span('unknown', 5, 30), span('up', 30, 31)]);

    expect([watch.counted, watch.downMinutes, watch.isAwaited]).toEqual([31, 2, false]);
  });
});

describe('a check that is paused', () => {
  const paused = { status: 'paused', tested: 3 } as const;

  test('is counted up to its last test, and 35 minutes later up to then', () => {
    const watch = new Watch().list(5, paused);
    expect([watch.dueAt(35), watch.dueAt(40)]).toEqual([false, true]);
    watch.list(40, paused);
    watch.report(40, [span('up', 0, 3.5)]);

    const { up, unmonitored } = watch.seconds;
    expect([watch.counted, up - 3_600, unmonitored]).toEqual([39 + 55 / 60, 210, 2_185]);
  });

  test('is unmonitored where the report has an unknown state for the pause', () => {
    const watch = new Watch().list(5, paused).list(20, { tested: 20 });
    watch.report(20.5, [span('up', 0, 4), span('unknown', 4, 18), span('up', 18, 20)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([20, 0]);
    expect(watch.seconds.unmonitored).toBe(14 * minute);
  });

  test('is unmonitored, too, if it began in the second in which the list was read', () => {
    const watch = new Watch().list(5, paused).list(20, { tested: 20 });
    watch.report(20.5, [span('up', 0, 5), span('unknown', 5, 18), span('up', 18, 20)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([20, 0]);
    expect(watch.seconds.unmonitored).toBe(13 * minute);
  });

  test('is another one than that before an unknown state, also if no other check is tested', () => {
    const watch = new Watch().list(5, { ...paused, passed: -30 });
    watch.list(30, { status: 'unknown', tested: 3, passed: -5 });
    watch.list(40, { ...paused, passed: 5 }).list(60, { tested: 60 });
    watch.report(60, [
      span('up', 0, 4),
      span('unknown', 4, 28),
      span('unknown', 28, 38),
      span('unknown', 38, 59),
      span('up', 59, 60),
    ]);

    expect(watch.seconds).toMatchObject({ unknown: 10 * minute, unmonitored: 45 * minute });
  });

  test('ends where a report ends only if the next report agrees, also of a check that is paused again', () => {
    const slow = { ...paused, resolution: 15 };
    const watch = new Watch().list(20, { ...slow, tested: 0 }).list(90, { ...slow, tested: 75 });
    watch.report(90, [span('up', 0, 15), span('unknown', 15, 50)]);
    expect(watch.counted).toBe(15);

    watch.list(130, { ...slow, tested: 75 });
    const both = [span('unknown', 15, 50), span('unknown', 50, 80), span('unknown', 80, 128)];
    watch.report(130, both);
    expect(watch.counted).toBeGreaterThan(90);
    expect(watch.seconds.unknown).toBe(30 * minute);
  });

  test('is unmonitored to its last second where it is counted up to the second before', () => {
    const watch = new Watch().list(5, paused).list(41, paused);
    watch.report(41, [span('up', 0, 4), span('unknown', 4, 40)]);
    const [last, end] = [40 + 55 / 60, 40 + 56 / 60];
    expect(watch.counted).toBe(last);

    watch.list(50, { tested: 50 }).report(50, [span('unknown', last, end), span('up', end, 50)]);
    expect([watch.counted, watch.seconds.unknown]).toEqual([50, 0]);
  });

  test('that began in the second of the list is still one when the report has its end', () => {
    const watch = new Watch().list(5, { ...paused, tested: 4 }).list(20, { tested: 20 });
    watch.report(20.5, [span('up', 0, 5), span('unknown', 5, 17)]);
    watch.report(22, [span('up', 4 + 59 / 60, 5), span('unknown', 5, 18), span('up', 18, 20)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([20, 0]);
  });

  test('that began in the second of the list waits for a report that goes beyond it', () => {
    const watch = new Watch().list(5, { ...paused, tested: 4 }).list(40, { tested: 40 });
    watch.report(40, [span('up', 0, 5)]);
    expect(watch.counted).toBe(5);

    watch.report(42, [span('up', 38, 40)]);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([40, 33 * minute]);
  });

  test('that began in the second of the list is still one when a report is counted up to that second', () => {
    const watch = new Watch().list(5, { ...paused, tested: 4, failed: 4 }).list(20, { tested: 20 });
    watch.list(24, { status: 'down', tested: 24, failed: 24 });
    const reported = [span('down', 3, 5), span('unknown', 5, 18), span('up', 18, 20)] as const;
    watch.report(24.5, [span('up', 0, 3), ...reported]);
    expect(watch.counted).toBe(5);

    watch.report(26, [span('unknown', 5, 18), span('up', 18, 24), span('down', 24, 25)]);
    expect([watch.counted, watch.seconds.unknown]).toEqual([24, 0]);
  });

  test('is not an unknown state that ended with the second in which the list was read', () => {
    const watch = new Watch().list(5, paused).list(60, paused);
    watch.report(60, [span('up', 0, 2), span('unknown', 2, 5)]);

    expect(watch.counted).toBeGreaterThan(24);
    expect(watch.seconds.unknown).toBe(3 * minute);
  });

  test('ends where a report ends only if the next report has nothing else there', () => {
    const watch = new Watch().list(5, paused).list(30, { status: 'unknown', tested: 28 });
    watch.report(30.5, [span('up', 0, 4), span('unknown', 4, 18)]);
    expect(watch.counted).toBe(4);

    watch.list(40, { tested: 38 });
    watch.report(40.5, [span('unknown', 4, 18), span('unknown', 18, 35), span('up', 35, 38)]);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([38, 14 * minute]);
    expect(watch.seconds.unknown).toBe(17 * minute);
  });

  test('is not counted from a report that may have been made before it', () => {
    const rare = { tested: 1, resolution: 30, failed: 1, down: [-90] } as const;
    const watch = new Watch('down').list(2, { ...rare, status: 'down' });
    watch.list(29, { ...rare, status: 'paused' });
    watch.report(37, [span('down', 0, 1)]);
    expect([watch.counted, watch.isAwaited]).toEqual([1, true]);

    watch.list(64, { ...rare, status: 'paused' });
    watch.report(64.5, [span('down', 0, 28)]);
    expect(watch.counted).toBeGreaterThan(29);
    expect([watch.seconds.down, watch.isAwaited]).toEqual([28 * minute, false]);
  });

  test('is unmonitored where the report has reached only the time before it so far', () => {
    const watch = new Watch().list(5, paused).list(20, { tested: 20 });
    watch.report(20.5, [span('up', 0, 3.5)]);
    watch.report(25, [span('up', 3.5, 4), span('unknown', 4, 18), span('up', 18, 20)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([20, 0]);
    expect(watch.seconds.unmonitored).toBe(14 * minute);
  });

  test('is not unknown up to 35 minutes ago where the first list of it is newer than the report', () => {
    const watch = new Watch().list(120, paused);
    watch.report(120, [span('up', 0, 3.5), span('unknown', 3.5, 118)]);
    watch.report(154, [span('up', 0, 3.5), span('unknown', 3.5, 118)]);
    expect(watch.counted).toBe(3);
    watch.report(156, [span('up', 0, 3.5), span('unknown', 3.5, 123)]);

    expect(watch.counted).toBeGreaterThan(119);
    expect(watch.seconds.unknown).toBe(0);
  });

  test('is not unknown where the report ends with the second of the first list of it', () => {
    const watch = new Watch().list(120, { ...paused, tested: 80 });
    watch.report(120, [span('up', 0, 78), span('unknown', 78, 81), span('unknown', 81, 120)]);
    expect(watch.counted).toBe(80);
    watch.report(156, [span('unknown', 80, 81), span('unknown', 81, 122)]);

    expect([watch.counted > 119, watch.seconds.unknown]).toEqual([true, 3 * minute]);
  });

  test('is unknown before it where the report ended long before the list', () => {
    const watch = new Watch().list(120, { ...paused, tested: 80 });
    watch.report(156, [span('up', 0, 3.5), span('unknown', 3.5, 80.5)]);

    expect(watch.counted).toBeGreaterThan(119);
    expect(watch.seconds.unknown).toBe(77 * minute);
  });

  test('is a gap of the report, and unknown states before and after it are no part of it', () => {
    const watch = new Watch().list(9, { ...paused, tested: 4 });
    for (let now = 20; now <= 30; now++) watch.list(now, { tested: now });
    const before = [span('up', 0, 2), span('unknown', 2, 4.5)];
    watch.report(30.5, [...before, span('unknown', 8, 18), span('up', 18, 30)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([30, 12.5 * minute]);
    expect(watch.seconds.unmonitored).toBe(3.5 * minute);
  });

  test('is not what was unknown before it, if the report has both in two states', () => {
    const watch = new Watch().list(9, { ...paused, tested: 4 });
    for (let now = 20; now <= 30; now++) watch.list(now, { tested: now });
    const both = [span('unknown', 2, 4.5), span('unknown', 4.5, 18)];
    watch.report(30.5, [span('up', 0, 2), ...both, span('up', 18, 30)]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([30, 2.5 * minute]);
    expect(watch.seconds.unmonitored).toBe(13.5 * minute);
  });

  test.each([
    ['after which no test is listed', 3],
    ['whose tests are listed', 29],
  ])(
    'is not what lists have shown as unknown before it, %s, if the report has both in one state',
    (_, tested) => {
      const watch = new Watch();
      for (let now = 5; now <= 29; now++) {
        watch.list(now, { status: 'unknown', tested: Math.min(now, tested) });
      }
      watch.list(30, { ...paused, tested });
      for (let now = 60; now <= 61; now++) watch.list(now, { tested: now });
      watch.report(61.5, [span('up', 0, 4), span('unknown', 4, 59), span('up', 59, 61)]);

      expect(watch.counted).toBe(61);
      expect(watch.seconds.unknown).toBeGreaterThan(24 * minute);
      expect(watch.seconds.unknown).toBeLessThan(26 * minute);
    },
  );

  test('is two of them around an unknown state, of which a list has shown a test, if the report has all in one', () => {
    const watch = new Watch().list(5, paused);
    watch.list(20, { status: 'unknown', tested: 20 }).list(40, { ...paused, tested: 39 });
    for (let now = 60; now <= 61; now++) watch.list(now, { tested: now });
    watch.report(61.5, [span('up', 0, 4), span('unknown', 4, 59), span('up', 59, 61)]);

    expect(watch.seconds).toMatchObject({ unknown: 19 * minute, unmonitored: 36 * minute });
  });

  test.each([
    ['in one state', [span('unknown', 4, 28)]],
    ['in two states', [span('unknown', 4, 18), span('unknown', 18, 28)]],
  ])(
    'is over with the first unknown test that a list shows, if the report has both %s',
    (_, pause) => {
      const watch = new Watch().list(5, paused);
      watch.list(20, { status: 'unknown', tested: 18 }).list(30, { status: 'unknown', tested: 28 });
      watch.report(30.5, [span('up', 0, 4), ...pause]);

      expect([watch.counted, watch.seconds.unmonitored]).toEqual([28, 14 * minute]);
      expect(watch.seconds.unknown).toBe(10 * minute);
    },
  );

  test('is not over with the unknown test after which it began', () => {
    const watch = new Watch().list(5, paused).list(20, { status: 'unknown', tested: 18 });
    watch.list(22, { ...paused, tested: 18 }).list(119, { ...paused, tested: 18 });
    const states = [span('unknown', 4, 18), span('unknown', 18, 21), span('unknown', 21, 120)];
    watch.report(120, [span('up', 0, 4), ...states]);

    expect(watch.counted).toBeGreaterThan(80);
    expect(watch.seconds.unknown).toBe(3 * minute);
  });

  test('is over with the unknown test after it, although there was one before it', () => {
    const unknown = (tested: number) => ({ status: 'unknown', tested }) as const;
    const watch = new Watch().list(5, paused).list(20, unknown(18));
    watch
      .list(22, { ...paused, tested: 18 })
      .list(50, unknown(48))
      .list(60, unknown(58));
    const states = [span('unknown', 4, 18), span('unknown', 18, 21), span('unknown', 21, 58)];
    watch.report(60.5, [span('up', 0, 4), ...states]);

    expect([watch.counted, watch.seconds.unknown]).toEqual([58, 13 * minute]);
  });

  test('is over with an unknown test, also if reports show both piece by piece', () => {
    const watch = new Watch().list(5, paused).list(40, paused);
    watch.report(40, [span('up', 0, 3)]);
    watch.list(50, { status: 'unknown', tested: 48 });
    watch.report(50.5, []);
    watch.list(53, { status: 'unknown', tested: 52 });
    watch.report(53.5, [span('unknown', 30, 48)]);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([48, 45 * minute]);

    watch.report(60, [span('unknown', 48, 52)]);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([52, 45 * minute]);
    expect(watch.seconds.unknown).toBe(4 * minute);
  });

  test('is over where a report ends it long ago, although it lacks the unknown state that goes on', () => {
    const watch = new Watch().list(5, paused).list(200, { status: 'unknown', tested: 198 });
    watch.report(200.5, [span('up', 0, 4), span('unknown', 4, 18)]);
    watch.list(230, { status: 'unknown', tested: 228 });
    watch.report(230.5, [span('unknown', 18, 228)]);

    expect([watch.counted, watch.seconds.unmonitored]).toEqual([228, 14 * minute]);
    expect(watch.seconds.unknown).toBe(210 * minute);
  });

  test('ends with the unknown test that a list shows where the report ends', () => {
    const watch = new Watch().list(5, paused).list(30, { status: 'unknown', tested: 28 });
    watch.report(30.5, [span('up', 0, 4), span('unknown', 4, 28)]);

    expect([watch.counted, watch.tally.state]).toEqual([28, 'unknown']);
    expect(watch.seconds.unmonitored).toBe(24 * minute);
  });

  test('lasts up to a failure with which tests begin again, and which the report still lacks', () => {
    const watch = new Watch().list(5, paused).list(50, { status: 'down', tested: 50, down: [48] });
    watch.report(83.5, [span('up', 0, 4), span('unknown', 4, 49), span('up', 49, 50)]);

    expect([watch.counted, watch.tally.state]).toEqual([48, 'unmonitored']);
    expect(watch.seconds.unmonitored).toBe(44 * minute);
  });

  test('is over a test and 35 minutes after the end that a report has of it', () => {
    const watch = new Watch().list(5, paused).list(50, { status: 'unknown', tested: 48 });
    watch.report(54, [span('up', 0, 4), span('unknown', 4, 18)]);

    expect([watch.counted, watch.tally.state]).toEqual([18, 'unknown']);
  });

  test('is settled by the lists again as soon as a report has reached the end of the pause', () => {
    const watch = new Watch().list(5, paused);
    for (let now = 20; now <= 30; now++) watch.list(now, { tested: now });
    watch.report(30.5, [span('up', 0, 4), span('up', 18, 20)]);
    expect([watch.counted, watch.isAwaited]).toEqual([30, false]);

    watch.list(31, { tested: 31 });
    expect(watch.counted).toBe(31);
  });
});

test('tests that stood still from one list to the next need a report, tests since the horizon do not', () => {
  const watch = new Watch().list(5, { tested: 5, failed: 2, down: [-90, -80] });
  for (let now = 6; now <= 20; now++) {
    watch.list(now, { tested: now, failed: 2, down: [-90, -80] });
  }
  watch.report(20.5, [span('up', 0, 10)]);
  expect(watch.counted).toBe(20);

  watch.list(29, { tested: 20, failed: 2, down: [-90, -80] });
  watch.list(30, { tested: 30, failed: 2, down: [-90, -80] });
  expect([watch.counted, watch.isAwaited]).toEqual([20, true]);
});

test('a new resolution needs a report up to the first list that has it', () => {
  const resolution = 5;
  const watch = new Watch().list(5, { tested: 5, resolution });
  for (let now = 10; now <= 20; now += 5) watch.list(now, { tested: now, resolution });
  watch.report(20.5, [span('up', 0, 4)]);
  expect([watch.counted, watch.isAwaited]).toEqual([4, true]);

  watch.report(21, [span('up', 4, 10)]);
  expect([watch.counted, watch.isAwaited]).toEqual([20, false]);
});

describe('the next request', () => {
  test('comes after the lag of the last report', () => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(12, outage.slice(0, 1));

    expect([watch.dueAt(19), watch.dueAt(20)]).toEqual([false, true]);
  });

  test('comes after twice as long each time, up to half an hour, while reports count nothing', () => {
    const watch = new Watch().list(12, listedOutage);
    let asked = 12;
    const delays: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      watch.report(asked, []);
      let due = asked;
      while (!watch.dueAt(due)) due += 1;
      delays.push(due - asked);
      asked = due;
    }

    expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });
});

test('a pause after more failures than are kept is no unknown state', () => {
  const watch = new Watch();
  for (let now = 5; now <= 400; now += 5)
    watch.list(now, { status: 'down', tested: now, failed: now });
  watch.list(500, { status: 'paused', tested: 400, failed: 400 });
  watch.report(600, [span('up', 0, 5), span('down', 5, 401), span('unknown', 401, 598)]);

  expect([watch.downMinutes, watch.seconds.unknown]).toEqual([396, 0]);
  expect(watch.seconds.unmonitored).toBe(99 * minute - 5);
});

describe('a report that stays behind or cannot be read', () => {
  const dayLater = 24 * 60;

  test.each([true, false])('is given up after a day (readable: %s)', (isReadable) => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(12, [], isReadable);
    watch.report(dayLater, [], isReadable);
    expect(watch.counted).toBe(0);

    const answer = watch.report(dayLater + 5, [], isReadable);
    expect(answer?.givenUp).toEqual({ fromSeconds: start, toSeconds: at(5) });
    // The outage that a list has shown is counted, in four of these minutes nobody watched.
    expect([watch.counted, watch.seconds.unmonitored, watch.downMinutes]).toEqual([5, 240, 1]);
    expect(answer?.unread).toEqual([{ fromSeconds: start, toSeconds: at(4) }]);
  });

  test('with nothing but downtime lacks the test at the horizon, so it is asked for again', () => {
    const downOnly = [span('down', 4, 7)];
    const watch = new Watch().list(12, listedOutage);
    watch.report(12.5, downOnly);
    expect(watch.counted).toBe(0);
    watch.report(15, outage);
    expect([watch.counted, watch.downMinutes, watch.seconds.unmonitored]).toEqual([12, 3, 0]);

    const hollow = new Watch().list(12, listedOutage);
    for (const minutes of [12, dayLater, dayLater + 12]) hollow.report(minutes, downOnly);
    expect([hollow.counted, hollow.downMinutes]).toEqual([12, 3]);
    expect(hollow.seconds.unmonitored).toBe(9 * minute);
  });

  test('is counted as unknown after a day if lists show nothing else', () => {
    const watch = new Watch().list(2, { status: 'unknown', tested: 2 });
    watch.report(3, [span('up', 0, 1)]);
    for (let now = 5; now <= dayLater + 10; now += 5) {
      watch.list(now, { status: 'unknown', tested: now });
    }
    let requests = 0;
    for (let now = dayLater; now <= dayLater + 600; now++) {
      watch.list(now, { status: 'unknown', tested: now });
      if (!watch.dueAt(now)) continue;
      watch.report(now, []);
      requests += 1;
    }

    const { up, down, unmonitored } = watch.seconds;
    expect([up, down, unmonitored]).toEqual([3_660, 0, 0]);
    expect(watch.counted).toBeGreaterThan(570);
    expect(requests).toBeLessThan(30);

    // It is due again as soon as a list shows the check tested.
    const tested = dayLater + 601;
    watch.list(tested, { tested });
    expect(watch.dueAt(tested + 3)).toBe(true);
    watch.report(tested + 3, [span('unknown', 0, tested)]);
    expect([watch.counted, watch.seconds.up, watch.seconds.unmonitored]).toEqual([
      tested,
      3_660,
      0,
    ]);
  });

  test('is counted as unknown although the first list of it shows the failure before it', () => {
    const unknown = { status: 'unknown', failed: 6 } as const;
    const watch = new Watch().list(60, { ...unknown, tested: 60 });
    watch.report(60.5, [], false);
    watch.report(130, [], false);
    watch.list(dayLater + 130, { ...unknown, tested: dayLater + 130 });
    watch.report(dayLater + 130, outage.slice(0, 2));

    expect([watch.downMinutes, watch.seconds.unmonitored]).toEqual([3, 0]);
    expect(watch.seconds.unknown).toBeGreaterThan(2 * 3_600);
  });

  test('is counted as unknown from the first unknown test after a listed pause on', () => {
    const watch = new Watch()
      .list(5, { status: 'paused', tested: 3 })
      .list(20, { status: 'unknown', tested: 20 });
    watch.report(20.5, [], false);
    watch.report(130, [], false);
    watch.list(dayLater + 130, { status: 'unknown', tested: dayLater + 130 });
    watch.report(dayLater + 130, [span('up', 0, 3.5)]);

    expect(watch.seconds.unmonitored).toBe(16.5 * minute);
    expect(watch.seconds.unknown).toBeGreaterThan(3_600);
  });

  test('is counted as unknown only from that test on, also when it is given up piece by piece', () => {
    const paused = { status: 'paused', tested: 3 } as const;
    const watch = new Watch().list(5, paused).list(200, paused);
    watch.list(800, { status: 'unknown', tested: 798 }).report(801, []);
    for (const now of [4.5, 300, 790, 900]) {
      watch.list(dayLater + now, { status: 'unknown', tested: dayLater + now });
      watch.report(dayLater + now, []);
      expect([watch.counted, watch.seconds.unknown]).toEqual([
        now,
        Math.max(0, now - 798) * minute,
      ]);
    }
  });

  test('is counted as unknown from its begin on where a report shows that it follows no pause', () => {
    const watch = new Watch().list(5, { status: 'paused', tested: 3 });
    watch.list(800, { status: 'unknown', tested: 798 });
    watch.report(801, [span('up', 0, 3), span('up', 20, 100)]);
    watch.list(dayLater + 790, { status: 'unknown', tested: dayLater + 790 });
    watch.report(dayLater + 790, []);

    expect([watch.counted, watch.seconds.unmonitored]).toEqual([790, 17 * minute]);
    expect(watch.seconds.unknown).toBe(690 * minute);
  });

  test('is counted as unknown from the first unknown test after the last of two listed pauses on', () => {
    const watch = new Watch().list(5, { status: 'paused', tested: 3 });
    watch.list(20, { status: 'unknown', tested: 20 }).list(22, { status: 'paused', tested: 20 });
    watch.list(60, { status: 'unknown', tested: 60 }).report(60.5, [], false);
    watch.report(130, [], false);
    watch.list(dayLater + 130, { status: 'unknown', tested: dayLater + 130 });
    watch.report(dayLater + 130, [span('up', 0, 3.5), span('unknown', 3.5, 20)]);

    expect(watch.seconds.unmonitored).toBe(56.5 * minute);
    expect(watch.seconds.unknown).toBeGreaterThan(3_600);
  });

  test('is counted as unknown although a failure after the unknown time waits for its outcome', () => {
    const watch = new Watch().list(2, { status: 'unknown', tested: 2 });
    watch.report(dayLater + 5, []);
    watch.list(dayLater + 60, { status: 'unknown', tested: dayLater + 60 });
    watch.list(dayLater + 62, { status: 'unconfirmed_down', tested: dayLater + 61 });
    watch.report(dayLater + 65, []);

    const { up, down, unmonitored } = watch.seconds;
    expect([watch.counted, up, down, unmonitored]).toEqual([65, 3_600, 0, 0]);
  });

  test.each([
    ['a pause', { status: 'paused', tested: dayLater + 60 }],
    ['an outage', { status: 'down', tested: dayLater + 70, failed: dayLater + 70 }],
  ] as const)('is counted as unknown although %s is listed after the unknown time', (_, listed) => {
    const watch = new Watch().list(2, { status: 'unknown', tested: 2 });
    watch.report(dayLater + 5, []);
    watch.list(dayLater + 60, { status: 'unknown', tested: dayLater + 60 });
    watch.report(dayLater + 66, []);
    watch.list(dayLater + 80, listed);
    for (const minutes of [90, 160]) watch.report(dayLater + minutes, []);

    expect([watch.counted, watch.seconds.unmonitored]).toEqual([160, 0]);
  });

  test('is requested for an hour again as soon as a list shows an outcome after unknown time', () => {
    const watch = new Watch().list(2, { status: 'unknown', tested: 2 });
    watch.report(dayLater - 60, []);
    const tested = dayLater + 3;
    watch.list(tested, { tested });
    watch.report(tested + 1, []);
    expect(watch.counted).toBe(0);

    watch.report(tested + 5, [span('unknown', 0, tested)]);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([tested, 0]);
  });

  test('is given up although lists show unknown tests and outcomes in turn', () => {
    const watch = new Watch();
    for (let now = 20; now <= 2 * dayLater; now += 20) {
      watch.list(now, { status: now % 40 === 0 ? 'up' : 'unknown', tested: now });
      if (watch.dueAt(now)) watch.report(now, [], false);
    }
    expect(watch.counted).toBeGreaterThan(dayLater - 120);
  });

  test('is given up with a listed pause that it shows as unknown after a state that cannot be read', () => {
    const watch = new Watch().list(5, { status: 'paused', tested: 3 });
    watch.list(dayLater, { tested: dayLater });
    for (const minutes of [dayLater, dayLater + 60]) {
      watch.report(minutes, [span('unknown', 4, 20)], false);
    }

    expect([watch.counted, watch.seconds.unknown]).toEqual([60, 0]);
  });

  test('is given up at a time that is no pause, so a later report may have it as unknown', () => {
    const watch = new Watch().list(12, { status: 'unknown', tested: 12 });
    watch.report(12, [], false);
    watch.report(dayLater + 5, [], false);
    expect([watch.counted, watch.seconds.unmonitored]).toEqual([5, 300]);

    watch.report(dayLater + 6, [span('unknown', 5, 12)]);
    expect(watch.seconds).toMatchObject({ unknown: 7 * minute, unmonitored: 300 });
  });

  test('is requested for an hour again after a day in which nothing could be requested', () => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(12, [], false);
    const later = 2 * dayLater;
    watch.list(later, { ...listedOutage, tested: later }).report(later, [], false);
    expect(watch.counted).toBe(0);

    watch.report(later + 5, [...outage.slice(0, 2), span('up', 7, later)]);
    expect([watch.counted, watch.downMinutes, watch.seconds.unmonitored]).toEqual([later, 3, 0]);
  });

  test('is not given up before it was requested for an hour', () => {
    const watch = new Watch().list(12, listedOutage);
    watch.report(dayLater + 20, []);
    watch.report(dayLater + 20 + 59, []);
    expect(watch.counted).toBe(0);

    watch.report(dayLater + 20 + 60, []);
    expect(watch.counted).toBe(12);
  });
});

import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { countersOf, emptyLog, openOutage, type StateLog } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
import { applyReport, type StateUpdate } from '../../src/tally/apply-report.ts';
import { type ListTimes, listTimesOf } from '../../src/tally/list-times.ts';
import { interruptedUntil, settle } from '../../src/tally/settle.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';
import { readAt } from './support/read-at.ts';

const t0 = 1_767_225_600;

function entry(atTest: number, fields: Partial<Check> = {}): Check {
  return {
    id: 7,
    name: 'shop',
    type: 'http',
    tags: [],
    status: 'up',
    resolutionSeconds: 60,
    lastTestAtSeconds: t0 + atTest,
    ...fields,
  };
}

function look(at: number, elapsedSeconds = 60): ListTimes {
  return { receivedAtSeconds: t0 + at, passedSeconds: t0 + at, elapsedSeconds };
}

/** A check that was up when it was first seen. */
const upAtStart = startTally(entry(0), look(0));

const { lastTestAtSeconds: _, ...untested } = entry(0);

function outageSince(start: number): StateTally {
  return startTally(entry(0, { status: 'down', lastDownStartAtSeconds: t0 + start }), look(0));
}

/** The counters after a list or a report, of a check that was first seen with this tally. */
function countedAfter(update: StateUpdate, first: StateTally, log = emptyLog(t0)) {
  const known = withCounted({ states: first, log }, update);
  return { ...countersOf(known), open: openOutage(known) };
}

/** Before the start, only this beginning of an open outage is known. */
function downSince(start: number): StateLog {
  return {
    ...emptyLog(t0),
    changes: StateChanges.of([{ state: 'down', fromSeconds: t0 + start }]),
  };
}

describe('settled by the list', () => {
  test('a check that has not failed is recorded as up, over any gap', () => {
    const known = entry(86_400, { lastErrorAtSeconds: t0 - 500 });

    const { tally, recorded, report } = settle(upAtStart, known, {
      receivedAtSeconds: t0 + 86_410,
      passedSeconds: t0 + 86_410,
    });

    expect(report).toBeUndefined();
    expect(recorded).toEqual([{ state: 'up', fromSeconds: t0, toSeconds: t0 + 86_400 }]);
    expect(tally).toMatchObject({ horizonSeconds: t0 + 86_400, state: 'up' });
  });

  test('an outage that goes on is recorded as down', () => {
    const known = entry(600, {
      status: 'down',
      lastDownStartAtSeconds: t0 - 90,
      lastErrorAtSeconds: t0 + 600,
    });

    const settled = settle(outageSince(-90), known, look(610, 610));

    expect(settled.report).toBeUndefined();
    const after = countedAfter(settled, outageSince(-90), downSince(-90));
    expect(after).toMatchObject({ seconds: { down: 600 }, outages: 0 });
    expect(after.open).toEqual({ sinceSeconds: t0 - 90 });
  });

  test('an outage that began with the next test and goes on needs no report', () => {
    const known = entry(120, {
      status: 'down',
      lastDownStartAtSeconds: t0 + 60,
      lastErrorAtSeconds: t0 + 120,
    });

    const settled = settle(upAtStart, known, look(125));

    expect(settled.report).toBeUndefined();
    const after = countedAfter(settled, upAtStart);
    expect(after).toMatchObject({ seconds: { up: 60, down: 60 }, outages: 1 });
    expect(after.open).toEqual({ sinceSeconds: t0 + 60 });
  });

  test('a test that is listed before its outcome does not lengthen an outage', () => {
    const down = startTally(entry(0, { status: 'down' }), look(0));
    const failed = (tested: number, error: number) =>
      settle(
        down,
        entry(tested, { status: 'down', lastErrorAtSeconds: t0 + error }),
        look(tested + 5),
      ).tally.horizonSeconds - t0;

    expect([failed(60, 60), failed(60, 0)]).toEqual([60, 0]);
    // A service that lists only the first error of an outage is believed.
    expect(failed(73, -30)).toBe(73);
  });

  test('an outage that a report has reached ends where a list has shown the good test after it', () => {
    const ended = {
      lastDownStartAtSeconds: t0 + 60,
      lastDownEndAtSeconds: t0 + 300,
      lastErrorAtSeconds: t0 + 240,
    };
    const awaited = { ...upAtStart, reportUntilSeconds: t0 + 120 };
    const seen = settle(awaited, entry(300, ended), look(305)).tally;
    expect(seen.facts).toContainEqual({
      kind: 'ended',
      fromSeconds: t0 + 300,
      toSeconds: t0 + 301,
    });
    const down = { state: 'down' as const, fromSeconds: t0 + 60, toSeconds: t0 + 180 };
    const to = {
      atSeconds: t0 + 180,
      state: 'down',
      isReported: true,
      resolutionSeconds: 60,
    } as const;
    const { tally } = applyReport(
      seen,
      [{ ...down, state: 'up', fromSeconds: t0, toSeconds: t0 + 60 }, down],
      to,
    );

    const settled = settle(tally, entry(420, ended), look(425));

    expect(settled.report).toBeUndefined();
    expect(settled.recorded).toEqual([
      { state: 'down', fromSeconds: t0 + 180, toSeconds: t0 + 300 },
      { state: 'up', fromSeconds: t0 + 300, toSeconds: t0 + 420 },
    ]);
    const again = entry(420, { ...ended, lastErrorAtSeconds: t0 + 360 });
    expect(settle(tally, again, look(425)).report).toBeDefined();
    const { facts: _facts, ...unseen } = tally;
    expect(settle(unseen, entry(420, ended), look(425)).report).toBeDefined();
  });

  test('the state at the end of a report is up once the list has an outage that ended there', () => {
    const tally: StateTally = {
      ...outageSince(60),
      horizonSeconds: t0 + 300,
      state: 'down',
      isReported: true,
    };
    const ended = {
      lastDownStartAtSeconds: t0 + 60,
      lastDownEndAtSeconds: t0 + 300,
      lastErrorAtSeconds: t0 + 240,
    };

    const settled = settle(tally, entry(300, ended), look(305));

    expect(settled.recorded).toEqual([]);
    expect(settled.report).toBeUndefined();
    const { isReported: _reported, ...listed } = tally;
    expect(settled.tally).toEqual({ ...listed, state: 'up' });
    // A test that failed later, or another end, leaves it open.
    for (const other of [
      { lastErrorAtSeconds: t0 + 300 },
      { lastDownEndAtSeconds: t0 + 240 },
      { status: 'down' as const },
    ]) {
      const left = settle(tally, entry(300, { ...ended, ...other }), look(305));
      expect(left.tally.state).toBe('down');
    }
    const unproven = settle(listed, entry(300, ended), look(305));
    expect(unproven.tally.state, 'a list has shown the test as failed').toBe('down');
  });

  test('an outage that the last test ended is closed with its whole duration', () => {
    const endedAt = (seconds: number) =>
      entry(seconds, {
        lastDownStartAtSeconds: t0 - 90,
        lastDownEndAtSeconds: t0 + seconds,
        lastErrorAtSeconds: t0 + seconds - 60,
      });

    const settled = settle(outageSince(-90), endedAt(60), look(65, 60));

    expect(settled.report).toBeUndefined();
    expect(settled.tally.state).toBe('up');
    const after = countedAfter(settled, outageSince(-90), downSince(-90));
    expect(after).toMatchObject({ seconds: { down: 60 }, lastOutageSeconds: 150 });
    expect(after.open).toBeUndefined();
    // A test before the successful one may have been missed: the test at the horizon repeated one that
    // was 13 seconds late, and the next one was due 27 seconds later.
    const failed = { lastErrorAtSeconds: t0 };
    const missed = settle(outageSince(-20), { ...endedAt(87), ...failed }, look(90, 60));
    expect(missed.report).toBeDefined();
    const late = settle(outageSince(-90), { ...endedAt(73), ...failed }, look(75, 60));
    expect(late.report).toBeUndefined();
  });

  test('the legacy list settles an outage that goes on from one test to the next', () => {
    const before = startTally(entry(0, { status: 'down' }), look(0));

    const next = settle(
      before,
      entry(60, { status: 'down', lastErrorAtSeconds: t0 + 60 }),
      look(61),
    );

    expect(countedAfter(next, before).seconds.down).toBe(60);
  });

  test('paused and untested time is unmonitored as far as time has passed', () => {
    const paused = startTally(entry(-900, { status: 'paused' }), look(0));

    const settled = settle(paused, entry(-900, { status: 'paused' }), look(60));

    expect(countedAfter(settled, paused).seconds.unmonitored).toBe(60);
    const older = settle(settled.tally, entry(-900, { status: 'paused' }), look(30));
    expect(older).toEqual({ tally: settled.tally, recorded: [] });
  });
});

describe('a check that lists show as paused', () => {
  const paused = entry(-900, { status: 'paused' });
  const since = (tally: StateTally, seconds: number, check = paused) =>
    settle(tally, check, look(seconds)).tally;

  test('is so since the first of them', () => {
    const first = since(startTally(paused, look(0)), 60);
    expect(first.pausedSinceSeconds).toBe(t0 + 60);
    expect(since(since(first, 120), 180).pausedSinceSeconds).toBe(t0 + 60);
  });

  test('is so since the first one after an absence', () => {
    const first = since(startTally(paused, look(0)), 60);
    expect(since(first, 60 + 601).pausedSinceSeconds).toBe(t0 + 661);
  });

  test('is not while it is unknown', () => {
    const first = since(startTally(paused, look(0)), 60);
    const unknown = since(first, 120, { ...paused, status: 'unknown' });
    expect(unknown.pausedSinceSeconds).toBeUndefined();
    expect(since(unknown, 180).pausedSinceSeconds).toBe(t0 + 180);
  });
});

describe('a check that is unknown, whose list shows no test', () => {
  const paused = startTally(entry(-900, { status: 'paused' }), look(0));
  const unknown = entry(-900, { status: 'unknown' });
  const day = 86_400;

  test('waits: it may be tested, and lists without tests whose result is unknown do not show it', () => {
    const first = settle(paused, unknown, look(60));

    expect(first.recorded).toEqual([]);
    expect(first.tally).toMatchObject({ horizonSeconds: t0, state: 'unmonitored' });
    expect(first.tally.unknownUntilSeconds).toBe(t0 + 61);
    const { tally } = settle(first.tally, unknown, look(120));
    expect(tally).toEqual({ ...first.tally, unknownUntilSeconds: t0 + 121 });
    expect(settle(tally, unknown, look(90)).tally).toBe(tally);
  });

  test('needs a report when it is paused again', () => {
    const { tally } = settle(paused, unknown, look(60));
    const again = settle(tally, entry(-900, { status: 'paused' }), look(120));

    expect(again).toMatchObject({ recorded: [], report: { atSeconds: t0 + 120 } });
    expect(again.tally.facts).toEqual([
      { kind: 'untested', fromSeconds: t0 + 60, toSeconds: t0 + 61 },
      { kind: 'paused', fromSeconds: t0 + 61, toSeconds: t0 + 121 },
    ]);
  });

  test.each([
    ['a pause', paused, 900, []],
    ['a good test', upAtStart, 0, [{ state: 'up', fromSeconds: t0, toSeconds: t0 + 45 }]],
    ['an outage', outageSince(-90), 0, [{ state: 'down', fromSeconds: t0, toSeconds: t0 + 45 }]],
    [
      'an outage that ends with its report',
      { ...outageSince(-90), isReported: true as const },
      0,
      [],
    ],
  ] as const)(
    'is unknown a day after %s, from where that is over',
    (_, first, testedBefore, untilNextTest) => {
      const later = { ...unknown, lastTestAtSeconds: t0 - testedBefore };
      const { tally } = settle(first, later, look(60));

      // The day begins with the first list that shows it.
      expect(settle(first, later, look(2 * day)).recorded).toEqual([]);
      expect(settle(tally, later, look(day + 59)).recorded).toEqual([]);
      const settled = settle(tally, later, look(day + 60));
      const fromSeconds = untilNextTest[0]?.toSeconds ?? t0;
      expect(settled.recorded).toEqual([
        ...untilNextTest,
        { state: 'unknown', fromSeconds, toSeconds: t0 + day + 60 },
      ]);
      expect(settled.unread).toEqual([{ fromSeconds, toSeconds: t0 + day + 60 }]);
      expect(settled.tally).toMatchObject({ horizonSeconds: t0 + day + 60, state: 'unknown' });
    },
  );

  test.each([
    ['a failed one', { ...outageSince(-90), isReported: true }, t0],
    ['a good one', { ...upAtStart, isReported: true }, t0 - 90],
  ] as const)(
    'is unknown from when the next test may have come, if a report was counted up to the last listed test, %s',
    (_, reported, lastErrorAtSeconds) => {
      const later = { ...unknown, lastTestAtSeconds: t0, lastErrorAtSeconds };
      const { tally } = settle(reported, later, look(60));
      const { recorded } = settle(tally, later, look(day + 60));
      const { state } = reported;
      expect(recorded[0]).toEqual({ state, fromSeconds: t0, toSeconds: t0 + 45 });
    },
  );

  test('is unmonitored while lists showed a pause', () => {
    const later = { ...unknown, lastTestAtSeconds: t0 };
    const paused = settle(upAtStart, { ...later, status: 'paused' }, look(300)).tally;
    const { tally } = settle(paused, later, look(900));
    const { recorded } = settle(tally, later, look(day + 900));
    expect(recorded.map(({ state }) => state)).toEqual(['up', 'unmonitored', 'unknown']);
    expect(recorded[1]).toMatchObject({ fromSeconds: t0 + 60, toSeconds: t0 + 301 });
  });

  test('is unknown from when the next test may have come, although the resolution has changed since', () => {
    const later = { ...unknown, lastTestAtSeconds: t0, resolutionSeconds: 900 };
    const { tally } = settle(upAtStart, later, look(60));
    const { recorded } = settle(tally, later, look(day + 60));
    expect(recorded[0]).toEqual({ state: 'up', fromSeconds: t0, toSeconds: t0 + 45 });
  });

  test('needs another report as long as the last one may lag: its last state may go on', () => {
    const reported: StateTally = { ...upAtStart, isReported: true };
    const later = { ...unknown, lastTestAtSeconds: t0 - 60 };
    expect(settle(reported, later, look(60)).report).toBeDefined();
    expect(settle(reported, later, look(60 + 2_099)).report).toBeDefined();
    expect(settle(reported, later, look(60 + 2_100)).report).toBeUndefined();
    expect(settle(upAtStart, later, look(60)).report).toBeUndefined();
  });

  test('waits an hour after an absence, because a report may come, but no longer than two days', () => {
    const later = { ...unknown, lastTestAtSeconds: t0 };
    const backAt = (seconds: number, absenceSeconds: number, tally: StateTally) =>
      settle(tally, later, { ...look(seconds), unlistedSeconds: absenceSeconds });
    const { tally } = settle(upAtStart, later, look(60));
    const back = 1.5 * day;
    const { tally: again, recorded } = backAt(back, day, tally);
    expect(recorded).toEqual([]);
    expect(settle(again, later, look(back + 3_599)).recorded).toEqual([]);
    expect(settle(again, later, look(back + 3_600)).recorded).toHaveLength(2);
    expect(backAt(2 * day + 59, day, tally).recorded).toEqual([]);
    expect(backAt(2 * day + 60, day, tally).recorded).toHaveLength(2);
  });

  test('keeps the first list and the last one after an absence, and the last absence', () => {
    const later = { ...unknown, lastTestAtSeconds: t0 };
    let { tally } = settle(upAtStart, later, look(60));
    for (let at = 3_600; at < 20 * 3_600; at += 3_600) {
      tally = settle(tally, later, { ...look(at), unlistedSeconds: 1_800 }).tally;
    }
    expect(tally.facts?.map(({ kind, fromSeconds }) => [kind, fromSeconds - t0])).toEqual([
      ['untested', 60],
      ['untested', 19 * 3_600],
      ['absence', 19 * 3_600 - 1_800],
    ]);
  });

  test('waits a day after the last pause', () => {
    const later = { ...unknown, lastTestAtSeconds: t0 };
    const { tally: seen } = settle(upAtStart, later, look(60));
    const paused = settle(seen, { ...later, status: 'paused' }, look(day)).tally;
    const { tally } = settle(paused, later, look(day + 60));
    expect(settle(tally, later, look(2 * day + 59)).recorded).toEqual([]);
    expect(settle(tally, later, look(2 * day + 60)).recorded).not.toEqual([]);
  });

  test('waits after a good test if the list lacks the time of any test', () => {
    const { lastTestAtSeconds: _, ...without } = unknown;
    expect(settle(upAtStart, without, look(60)).recorded).toEqual([]);
  });

  test('is unmonitored at once if it was never tested', () => {
    const never: Check = { ...untested, status: 'unknown' };
    const settled = settle(startTally(never, look(0)), never, look(60));

    expect(settled.recorded).toEqual([
      { state: 'unmonitored', fromSeconds: t0, toSeconds: t0 + 60 },
    ]);
  });
});

describe('the first list after an absence', () => {
  const firstList = (check: Check, tally = upAtStart) =>
    settle(tally, check, { ...look(7_200), unlistedSeconds: 3_600 });

  test.each([
    [
      'up to its last test, if the list shows what came before',
      entry(7_190, { status: 'down' }),
      7_190,
    ],
    [
      'up to the list, if its last test waits for others',
      entry(7_190, { status: 'unconfirmed_down' }),
      7_200,
    ],
    ['up to the list, if that has no newer test', entry(0), 7_200],
  ])('is kept %s', (_, check, toSeconds) => {
    const absence = { kind: 'absence', fromSeconds: t0 + 3_600, toSeconds: t0 + toSeconds };
    expect(firstList(check).tally.facts).toContainEqual(absence);
  });

  test('is over as soon as a list has proven it', () => {
    const { tally } = firstList(entry(7_190, { status: 'down' }));
    const { recorded, ...settled } = settle(tally, entry(7_190), look(7_260));
    expect(recorded).not.toEqual([]);
    expect(settled.tally.facts).toBeUndefined();
  });
});

describe('a list that shows a test before its outcome', () => {
  const goesOn = {
    status: 'down',
    lastDownStartAtSeconds: t0,
    lastErrorAtSeconds: t0 + 60,
  } as const;

  test('is corrected by the next one: the check was down since that test', () => {
    const settled = settle(upAtStart, entry(60, goesOn), look(61));

    expect(settled.report).toBeUndefined();
    expect(countedAfter(settled, upAtStart).seconds).toMatchObject({ up: 0, down: 60 });
  });

  test('needs a report if the check was up since that test: an end at the horizon may be out of date', () => {
    const known = entry(60, { lastDownStartAtSeconds: t0 - 90, lastDownEndAtSeconds: t0 });

    expect(settle(outageSince(-90), known, look(61)).report).toBeDefined();
  });

  test('needs a report if the next one has only the failed test', () => {
    const known = entry(60, { lastErrorAtSeconds: t0 });
    const { report, tally } = settle(upAtStart, known, look(61));

    expect(report).toBeDefined();
    expect(tally.facts).toEqual([{ kind: 'failed', fromSeconds: t0, toSeconds: t0 + 1 }]);
  });
});

describe('needs an outage report', () => {
  const laterDown = { status: 'down', lastDownStartAtSeconds: t0 + 300 } as const;
  const cases: [string, StateTally, Check, ListTimes][] = [
    [
      'an error since the horizon',
      upAtStart,
      entry(120, { lastErrorAtSeconds: t0 + 60 }),
      look(125),
    ],
    ['room for an outage before the last one', upAtStart, entry(360, laterDown), look(361, 360)],
    [
      'a second outage after the one at the horizon',
      outageSince(-90),
      entry(120, { status: 'down', lastDownStartAtSeconds: t0 + 60 }),
      look(125),
    ],
    ['unknown', upAtStart, entry(60, { status: 'unknown' }), look(61)],
    ['paused', upAtStart, entry(0, { status: 'paused' }), look(60)],
    ['another resolution', upAtStart, entry(60, { resolutionSeconds: 300 }), look(61)],
    [
      'a legacy outage with room for a recovery',
      startTally(entry(0, { status: 'down' }), look(0)),
      entry(180, { status: 'down' }),
      look(181, 180),
    ],
    [
      'an outage that ended before the last test',
      outageSince(-90),
      entry(180, { lastDownStartAtSeconds: t0 - 90, lastDownEndAtSeconds: t0 + 60 }),
      look(185, 180),
    ],
    ['a first test', startTally(untested, look(0)), entry(60), look(61)],
  ];

  test.each(cases)('%s', (_, tally, check, seen) => {
    const settlement = settle(tally, check, seen);

    expect(settlement.report?.atSeconds).toBe(
      check.status === 'paused' ? seen.passedSeconds : check.lastTestAtSeconds,
    );
    expect(settlement.tally.horizonSeconds).toBe(tally.horizonSeconds);
    expect(settlement.recorded).toEqual([]);
  });

  test('what one list showed is kept when the next one looks well', () => {
    const unknown = settle(upAtStart, entry(60, { status: 'unknown' }), look(61));

    const well = settle(unknown.tally, entry(120), look(121));

    expect(well.report?.atSeconds).toBe(t0 + 120);
  });

  test('unknown time after a test is kept when the report has been read up to the test', () => {
    const unknown = settle(upAtStart, entry(60, { status: 'unknown' }), look(100));
    const atTest = { atSeconds: t0 + 60, state: 'up', resolutionSeconds: 60 } as const;
    const up = [{ state: 'up' as const, fromSeconds: t0, toSeconds: t0 + 60 }];

    const recorded = applyReport(unknown.tally, up, atTest).tally;
    const resumed = settle(recorded, entry(120), look(121));

    expect(resumed.report?.atSeconds).toBe(t0 + 120);
  });

  test('another resolution is evidence up to the list that shows it first, which may be old', () => {
    const changed = entry(60, { resolutionSeconds: 300 });
    expect(interruptedUntil(entry(0), changed, look(400))).toBe(t0 + 400);
    expect(interruptedUntil(changed, entry(360, { resolutionSeconds: 300 }), look(460))).toBe(
      undefined,
    );
  });

  test('a last test that jumps while the list is read is evidence, unless the check was not tested', () => {
    const jump = (status: Check['status'], elapsedSeconds?: number) =>
      interruptedUntil(entry(0, { status }), entry(900), {
        receivedAtSeconds: t0 + 901,
        ...(elapsedSeconds !== undefined && { elapsedSeconds }),
      });

    expect(jump('up', 60)).toBe(t0 + 900);
    expect(jump('up', 820)).toBeUndefined();
    expect(jump('paused', 60)).toBeUndefined();
    expect(jump('up')).toBeUndefined();
  });

  test('a pause that was over before any later test of the account is kept', () => {
    const times = { receivedAtSeconds: t0 + 50, passedSeconds: t0 - 5, elapsedSeconds: 60 };
    const paused = settle(upAtStart, entry(0, { status: 'paused' }), times);

    expect(paused.report).toBeUndefined();
    expect(paused.tally.facts).toEqual([{ kind: 'paused', fromSeconds: t0, toSeconds: t0 + 50 }]);
  });

  test('a pause since a test before the first sight is kept from the first sight on', () => {
    const first = startTally(entry(-40), look(0));
    const paused = settle(first, entry(-40, { status: 'paused' }), look(60));

    expect(paused.tally.facts).toEqual([{ kind: 'paused', fromSeconds: t0, toSeconds: t0 + 61 }]);
  });

  test('a pause that was over before its report came is kept', () => {
    const paused = settle(upAtStart, entry(0, { status: 'paused' }), look(60));
    // After every horizon that an earlier list allows.
    expect(paused.tally.reportUntilSeconds).toBe(t0 + 61);

    const resumed = settle(paused.tally, entry(120), look(121));

    expect(resumed.report?.atSeconds).toBe(t0 + 120);
  });
});

test('a pause after a test that only this check had made outlives the report that an older list allowed', () => {
  const failed = settle(upAtStart, entry(50, { lastErrorAtSeconds: t0 + 50 }), look(55));
  const others = { receivedAtSeconds: t0 + 60, passedSeconds: t0 + 30, elapsedSeconds: 5 };
  const paused = settle(upAtStart, entry(50, { status: 'paused' }), others);
  const states = [{ state: 'up' as const, fromSeconds: t0, toSeconds: t0 + 50 }];
  const { tally } = applyReport(
    paused.tally,
    states,
    failed.report ?? { atSeconds: 0, state: 'up' },
  );
  expect(tally).toMatchObject({ horizonSeconds: t0 + 50, state: 'up' });

  const resumed = settle(tally, entry(200), look(201, 141));

  expect(resumed).toMatchObject({ recorded: [], report: { atSeconds: t0 + 200 } });
});

describe('waits', () => {
  const cases: [string, Check, ListTimes][] = [
    ['for the test that confirms a failure', entry(60, { status: 'unconfirmed_down' }), look(61)],
    ['for the test that confirms a recovery', entry(60, { status: 'unconfirmed_up' }), look(61)],
    ['when there is no new test', entry(0), look(30)],
    ['when the list is older than the horizon', entry(-60), look(30)],
    ['when the last test lies in the future', entry(4000), look(60)],
    ['when the clock stepped back behind the last test', entry(60), look(-7200)],
  ];

  test.each(cases)('%s', (_, check, seen) => {
    expect(settle(upAtStart, check, seen)).toEqual({ tally: upAtStart, recorded: [] });
  });
});

test('an exporter clock that runs ahead does not put unmonitored time into the future', () => {
  const paused = entry(-900, { status: 'paused' });
  const tested = { ...entry(40), id: 8 };

  const { tally } = settle(
    startTally(paused, look(0)),
    paused,
    listTimesOf([paused, tested], readAt(t0 + 50_000)),
  );

  expect(tally.horizonSeconds).toBe(t0 + 40);
});

test('an outage that is confirmed only after the first sight is counted by its report alone', () => {
  const first = startTally(entry(0, { status: 'unconfirmed_down' }), look(10));
  const next = settle(first, entry(60, { status: 'down', lastDownStartAtSeconds: t0 }), look(65));

  expect(next.report).toBeDefined();
  const states = [{ state: 'down' as const, fromSeconds: t0 + 10, toSeconds: t0 + 65 }];
  const update = applyReport(next.tally, states, next.report ?? { atSeconds: 0, state: 'up' });

  expect(update.tally.state).toBe('down');
  const after = countedAfter(update, first, emptyLog(first.startSeconds));
  expect(after).toMatchObject({ outages: 0, seconds: { down: 50 } });
  expect(after.open).toEqual({});
});

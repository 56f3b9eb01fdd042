import { expect, test } from 'vitest';
import { History, type Segment } from '../../src/simulation/history.ts';
import type { MonitoredCheck } from '../../src/simulation/monitored-check.ts';
import { historyOf, scenarios } from '../history-scenarios.ts';
import fc from '../support/fast-check.ts';

const start = 1_767_225_600;
const hour = 3600;
const day = 86_400;

/** Tested every minute on the minute, from midnight on. */
const minutely: MonitoredCheck = {
  id: 10_000_001,
  stability: 'steady',
  typicalResponseMilliseconds: 200,
  runs: [{ from: start, resolutionSeconds: 60, phaseSeconds: 0 }],
};

/** The history of a check that has only the planted events. */
function calm(check: MonitoredCheck = minutely): History {
  const history = new History({ seed: 1 });
  history.plant({ checkId: check.id, status: 'up', from: 0 });
  return history;
}

/** The tests known at `asOf`, in order, each with the state that follows from the results alone. */
function statesOfTests(history: History, check: MonitoredCheck, asOf: number) {
  return check.runs.flatMap((run) => {
    const to = Math.min(run.to ?? asOf + 1, asOf + 1);
    const results = [...history.results(check, run.from, to)];
    return results.map((result, position) => {
      const confirmed = results[position + 1]?.status === 'down';
      const status =
        result.status === 'unconfirmed_down' ? (confirmed ? 'down' : 'up') : result.status;
      const until = results[position + 1]?.time ?? Math.min(run.to ?? asOf, asOf);
      return { status, from: result.time, to: until } as const;
    });
  });
}

function joined(states: readonly Segment[], from: number, to: number): Segment[] {
  const segments: Segment[] = [];
  for (const state of states) {
    const part = { ...state, from: Math.max(from, state.from), to: Math.min(to, state.to) };
    if (part.from >= part.to) continue;
    const last = segments.at(-1);
    if (last?.status === part.status && last.to === part.from) {
      segments[segments.length - 1] = { ...last, to: part.to };
    } else {
      segments.push(part);
    }
  }
  return segments;
}

test('a failed row of two or more tests is an outage from its first failure to the first good test', () => {
  const history = calm();
  const failing = { from: start + hour, to: start + hour + 180 };
  history.plant({ checkId: minutely.id, status: 'down', ...failing });

  const statuses = [...history.results(minutely, start + hour - 60, start + hour + 240)];

  expect(statuses.map(({ status }) => status)).toEqual([
    'up',
    'unconfirmed_down',
    'down',
    'down',
    'up',
  ]);
  expect(history.segments(minutely, start, start + 2 * hour)).toEqual([
    { status: 'up', from: start, to: start + hour },
    { status: 'down', from: start + hour, to: start + hour + 180 },
    { status: 'up', from: start + hour + 180, to: start + 2 * hour },
  ]);
  expect(history.lastOutage(minutely, start + 2 * hour)).toEqual({
    start: start + hour,
    end: start + hour + 180,
  });
  expect(history.lastErrorTime(minutely, start + 2 * hour)).toBe(start + hour + 120);
});

test('an outage ends at the very moment of the first good test', () => {
  const history = calm();
  const end = start + hour + 180;
  history.plant({ checkId: minutely.id, status: 'down', from: start + hour, to: end });

  expect(history.lastOutage(minutely, end - 1)).toEqual({ start: start + hour });
  expect(history.lastOutage(minutely, end)).toEqual({ start: start + hour, end });
  expect(history.stateAt(minutely, end)).toBe('up');
});

test('a later planted disturbance holds over an earlier one', () => {
  const history = calm();
  const planted = { checkId: minutely.id, from: start + hour };
  history.plant({ ...planted, status: 'down' });
  history.plant({ ...planted, status: 'unknown', to: start + hour + 600 });

  expect(history.stateAt(minutely, start + hour + 300)).toBe('unknown');
  expect(history.lastErrorTime(minutely, start + hour + 300)).toBeUndefined();
  expect(history.stateAt(minutely, start + hour + 600)).toBe('unconfirmed_down');
});

test('another probe repeats a first failed test, and finds what the next test will', () => {
  const run = { from: start, resolutionSeconds: 60, phaseSeconds: 0, repeatSeconds: 20 };
  const repeated = { ...minutely, runs: [{ ...run, to: start + 2 * hour + 40 }] };
  const history = calm(repeated);
  const plant = (from: number, to: number) =>
    history.plant({ checkId: repeated.id, status: 'down', from: start + from, to: start + to });
  plant(600, 660);
  plant(1200, 1320);
  plant(2 * hour, 3 * hour);
  const resultsFrom = (from: number) =>
    [...history.results(repeated, start + from, start + from + 100)].map(
      ({ time, status }) => `${time - start - from} ${status}`,
    );

  expect(resultsFrom(600)).toEqual(['0 unconfirmed_down', '20 up', '60 up']);
  expect(resultsFrom(1200)).toEqual(['0 unconfirmed_down', '20 down', '60 down']);
  expect(resultsFrom(1210)).toEqual(['10 down', '50 down']);
  expect(resultsFrom(2 * hour)).toEqual(['0 unconfirmed_down', '20 down']);
  const states = [1200, 1219, 1220, 1260, 1320].map((at) => history.stateAt(repeated, start + at));
  expect(states).toEqual(['unconfirmed_down', 'unconfirmed_down', 'down', 'down', 'up']);
  expect(history.lastTest(repeated, start + 620)).toMatchObject({
    time: start + 620,
    status: 'up',
  });
  expect(history.lastErrorTime(repeated, start + 630)).toBe(start + 600);
  expect(history.lastErrorTime(repeated, start + 1230)).toBe(start + 1220);
  expect(history.lastOutage(repeated, start + 1219)).toBeUndefined();
  expect([...history.outages(repeated, start, start + 3 * hour)]).toMatchObject([
    { start: start + 2 * hour, confirmedAt: start + 2 * hour + 20, end: start + 2 * hour + 40 },
    { start: start + 1200, confirmedAt: start + 1220, end: start + 1320 },
  ]);
});

test('time before the first test and paused time is in no segment', () => {
  const run = { from: start + 30, resolutionSeconds: 60, phaseSeconds: 0 };
  const paused: MonitoredCheck = {
    ...minutely,
    runs: [
      { ...run, to: start + 300 },
      { ...run, from: start + 900 },
    ],
  };
  const history = calm(paused);

  expect(history.segments(paused, start, start + 1200)).toEqual([
    { status: 'up', from: start + 60, to: start + 300 },
    { status: 'up', from: start + 900, to: start + 1200 },
  ]);
  expect(history.stateAt(paused, start + 59)).toBe('unknown');
  expect(history.stateAt(paused, start + 300)).toBe('paused');
  expect(history.lastTest(paused, start + 500)?.time).toBe(start + 240);
  expect(history.stateAt(paused, start + 900)).toBe('up');
});

test('outages are reported newest first, with their confirmation and whether a good test ended them', () => {
  const run = { from: start, to: start + 2 * hour, resolutionSeconds: 60, phaseSeconds: 0 };
  const paused = { ...minutely, runs: [run] };
  const history = calm(paused);
  const plant = (status: 'down' | 'unknown', from: number, to: number) =>
    history.plant({ checkId: paused.id, status, from: start + from, to: start + to });
  plant('down', 600, 780);
  plant('down', 1200, 1260);
  plant('down', 1800, 1920);
  plant('unknown', 1920, 2000);
  plant('down', 2 * hour - 180, 3 * hour);

  const outages = [...history.outages(paused, start, start + day)];

  expect(outages).toEqual([
    {
      start: start + 2 * hour - 180,
      end: start + 2 * hour,
      confirmedAt: start + 2 * hour - 120,
      resolutionSeconds: 60,
      recovered: false,
    },
    {
      start: start + 1800,
      end: start + 1920,
      confirmedAt: start + 1860,
      resolutionSeconds: 60,
      recovered: false,
    },
    {
      start: start + 600,
      end: start + 780,
      confirmedAt: start + 660,
      resolutionSeconds: 60,
      recovered: true,
    },
  ]);
  expect([...history.outages(paused, start + 780, start + 1799)]).toEqual(outages.slice(2));
  expect([...history.outages(paused, start + 781, start + 1800, start + day)]).toEqual(
    outages.slice(1, 2),
  );
  expect([...history.outages(paused, start, start + 659)]).toEqual([]);
  expect([...history.outages(paused, start, start + 660)]).toEqual([
    { start: start + 600, confirmedAt: start + 660, resolutionSeconds: 60, recovered: false },
  ]);
});

test('an outage is reported whole, even where the period ends in the middle of it', () => {
  const history = calm();
  const plant = (from: number, to: number) =>
    history.plant({ checkId: minutely.id, status: 'down', from: start + from, to: start + to });
  plant(600, 660);
  plant(660, 780);

  expect([...history.outages(minutely, start, start + 630, start + day)]).toEqual([
    {
      start: start + 600,
      end: start + 780,
      confirmedAt: start + 660,
      resolutionSeconds: 60,
      recovered: true,
    },
  ]);
});

test('a run that follows without a gap begins an outage of its own', () => {
  const run = { from: start, to: start + hour, resolutionSeconds: 60, phaseSeconds: 0 };
  const restarted = {
    ...minutely,
    runs: [run, { from: start + hour, resolutionSeconds: 300, phaseSeconds: 0 }],
  };
  const history = calm(restarted);
  history.plant({ checkId: restarted.id, status: 'down', from: start + hour - 600 });
  const now = start + hour + 600;

  expect(history.segments(restarted, start, now)).toEqual([
    { status: 'up', from: start, to: start + hour - 600 },
    { status: 'down', from: start + hour - 600, to: start + hour },
    { status: 'down', from: start + hour, to: now },
  ]);
  expect([...history.outages(restarted, start, now)].map((outage) => outage.start)).toEqual([
    start + hour,
    start + hour - 600,
  ]);
  expect(history.lastOutage(restarted, now)).toEqual({ start: start + hour });
});

test('probes take turns, and the farther ones are slower', () => {
  const history = calm();
  const byProbe = new Map<number, number[]>();
  for (const result of history.results(minutely, start, start + 20 * day)) {
    const times = byProbe.get(result.probeId) ?? [];
    byProbe.set(result.probeId, [...times, result.responseMilliseconds ?? Number.NaN]);
  }
  const means = [...byProbe.values()].map(
    (times) => times.reduce((sum, each) => sum + each, 0) / times.length,
  );

  expect(byProbe.size).toBeGreaterThan(10);
  for (const times of byProbe.values()) {
    expect(times.length).toBeGreaterThan((0.7 * 20 * 1440) / byProbe.size);
  }
  expect(Math.max(...means) / Math.min(...means)).toBeGreaterThan(1.1);
});

test('good tests are reported as the results show them', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { check, from, length } = scenario;
      const history = historyOf(scenario);
      const told: unknown[] = [];

      history.eachGoodTest(check, from, from + length, (time, probeId, responseMilliseconds) => {
        told.push({ time, status: 'up', probeId, responseMilliseconds });
      });

      const results = [...history.results(check, from, from + length)];
      expect(told).toEqual(results.filter(({ status }) => status === 'up'));
      expect([
        ...history.resultsNewestFirst(
          check,
          from,
          from + length,
          new Set(['up', 'down', 'unconfirmed_down', 'unknown']),
        ),
      ]).toEqual(results.reverse());
    }),
    { numRuns: 100 },
  );
});

test('a check that was never tested has no history', () => {
  const history = new History({ seed: 1 });
  const untested = { ...minutely, runs: [] };

  expect(history.stateAt(untested, start)).toBe('unknown');
  expect(history.lastTest(untested, start)).toBeUndefined();
  expect(history.lastErrorTime(untested, start)).toBeUndefined();
  expect(history.lastOutage(untested, start)).toBeUndefined();
  expect(history.segments(untested, 0, start)).toEqual([]);
  expect([...history.results(untested, 0, start)]).toEqual([]);
});

test('segments are what the results say, at any range and as known at any time', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { check, from, length, later } = scenario;
      const history = historyOf(scenario);
      const to = from + length;
      const asOf = to + later;

      const segments = history.segments(check, from, to, asOf);

      expect(segments).toEqual(joined(statesOfTests(history, check, asOf), from, to));
    }),
    { numRuns: 200 },
  );
});

test('last test, last error and last outage are what the results say', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { check, from: now } = scenario;
      const history = historyOf(scenario);
      const results = [...history.results(check, 0, now + 1)];

      const outage = joined(statesOfTests(history, check, now), 0, now + 1).findLast(
        ({ status }) => status === 'down',
      );
      const confirmedNow = results.findLast(({ status }) => status === 'down')?.time === now;

      expect(history.lastTest(check, now)).toEqual(results.at(-1));
      expect(history.lastErrorTime(check, now)).toBe(
        results.findLast(({ status }) => status.endsWith('down'))?.time,
      );
      const lasts = outage?.to === now && history.stateAt(check, now) === 'down';
      expect(history.lastOutage(check, now)).toEqual(
        outage === undefined
          ? undefined
          : lasts || confirmedNow
            ? { start: outage.from }
            : { start: outage.from, end: outage.to },
      );
    }),
    { numRuns: 200 },
  );
});

test('the status at every test is its result, and an error is first unconfirmed', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { check, from, length } = scenario;
      const history = historyOf(scenario);
      let failing = false;
      const firstTests = check.runs.map(
        (run) => [...history.results(check, run.from, run.from + 3600)][0]?.time,
      );

      for (const result of history.results(check, check.runs[0]?.from ?? 0, from + length)) {
        if (firstTests.includes(result.time)) failing = false;
        const failed = result.status === 'down' || result.status === 'unconfirmed_down';
        expect(history.stateAt(check, result.time)).toBe(result.status);
        if (failed) expect(result.status).toBe(failing ? 'down' : 'unconfirmed_down');
        expect(result.responseMilliseconds !== undefined).toBe(result.status === 'up');
        failing = failed;
      }
    }),
    { numRuns: 100 },
  );
});

test('every stability shows outages, glitches and unknown results over a year, and is mostly up', () => {
  for (const stability of ['steady', 'ordinary', 'flaky'] as const) {
    const year = { from: start, to: start + 365 * day };
    const seconds = { up: 0, down: 0, unknown: 0 };
    const history = new History({ seed: 7 });
    let glitches = 0;
    for (let id = 1; id <= 20; id++) {
      const check = { ...minutely, id, stability };
      for (const { status, from, to } of history.segments(check, year.from, year.to)) {
        seconds[status] += to - from;
      }
      for (let month = 1; month <= 12; month++) {
        const time = start + month * 30 * day;
        if (history.lastErrorTime(check, time) !== lastDownTest(history, check, time)) {
          glitches += 1;
        }
      }
    }

    expect(seconds.up / (20 * 365 * day)).toBeGreaterThan(0.97);
    expect(seconds.down).toBeGreaterThan(0);
    expect(seconds.unknown).toBeGreaterThan(0);
    expect(glitches).toBeGreaterThan(0);
  }
});

function lastDownTest(history: History, check: MonitoredCheck, time: number): number | undefined {
  const end = history.lastOutage(check, time)?.end;
  return end === undefined ? undefined : end - 60;
}

test('the same seed gives the same results, and another seed others', () => {
  const resultsOf = (seed: number) => [
    ...new History({ seed }).results({ ...minutely, stability: 'flaky' }, start, start + 2 * day),
  ];

  expect(resultsOf(1)).toEqual(resultsOf(1));
  expect(resultsOf(1)).not.toEqual(resultsOf(2));
});

test('response times follow the time of day around what is typical for the check', () => {
  const history = calm();
  const hourly: number[] = [];
  for (let at = start; at < start + day; at += hour) {
    const times = [...history.results(minutely, at, at + hour)].map(
      ({ responseMilliseconds = Number.NaN }) => responseMilliseconds,
    );
    hourly.push(times.reduce((sum, each) => sum + each, 0) / times.length);
  }

  expect(Math.min(...hourly)).toBeGreaterThan(100);
  expect(Math.max(...hourly)).toBeLessThan(400);
  expect(Math.max(...hourly) / Math.min(...hourly)).toBeGreaterThan(1.3);
});

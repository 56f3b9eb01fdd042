import { expect, test } from 'vitest';
import { History, type Segment } from '../../src/simulation/history.ts';
import type { MonitoredCheck } from '../../src/simulation/monitored-check.ts';
import {
  lastDowntime,
  reportedStates,
  type TransactionState,
  transactionStates,
} from '../../src/simulation/transaction-states.ts';
import { historyOf, scenarios as scenariosOfChecks } from '../history-scenarios.ts';
import fc from '../support/fast-check.ts';

/** Failed runs of transactions are not repeated. */
const scenarios = scenariosOfChecks.map(({ check, ...scenario }) => {
  const runs = check.runs.map((run) => ({ ...run, repeatSeconds: 0 as const }));
  return { ...scenario, check: { ...check, runs } };
});

const start = 1_767_225_600;
const minute = 60;
const hour = 60 * minute;

/** Run every five minutes on the minute, from midnight on. */
const transaction: MonitoredCheck = {
  id: 3_000_001,
  stability: 'steady',
  typicalResponseMilliseconds: 4000,
  runs: [{ from: start, resolutionSeconds: 300, phaseSeconds: 0 }],
};

function calm(): History {
  const history = new History({ seed: 1 });
  history.plant({ checkId: transaction.id, status: 'up', from: 0 });
  return history;
}

/** The states that follow from the runs alone, in order: each lasts until the next run. */
function statesOfRuns(history: History, check: MonitoredCheck, from: number, to: number) {
  const states: Segment[] = [];
  for (const run of check.runs) {
    const end = Math.min(run.to ?? to, to);
    const results = [...history.results(check, run.from, end)];
    for (const [position, { time, status }] of results.entries()) {
      const outcome = status === 'unconfirmed_down' ? 'down' : status;
      const piece = {
        status: outcome,
        from: Math.max(from, time),
        to: results[position + 1]?.time ?? end,
      };
      if (piece.from >= piece.to) continue;
      const last = states.at(-1);
      if (last?.status === piece.status && last.to === piece.from) {
        states[states.length - 1] = { ...last, to: piece.to };
      } else states.push(piece);
    }
  }
  return states;
}

function joined(states: readonly TransactionState[]): Segment[] {
  const segments: Segment[] = [];
  for (const { status, from, to } of states) {
    const last = segments.at(-1);
    if (last?.status === status && last.to === from) {
      segments[segments.length - 1] = { status, from: last.from, to };
    } else segments.push({ status, from, to });
  }
  return segments;
}

test('one failed run is down until the next run', () => {
  const history = calm();
  const failed = start + hour;
  history.plant({ checkId: transaction.id, status: 'down', from: failed, to: failed + 300 });

  expect(transactionStates(history, transaction, { from: start, to: start + 2 * hour })).toEqual([
    { status: 'up', from: start, to: failed },
    { status: 'down', from: failed, to: failed + 300, since: failed },
    { status: 'up', from: failed + 300, to: start + 2 * hour },
  ]);
});

test('what was reported once is not taken back by a later run', () => {
  const history = calm();
  const failed = start + hour;
  history.plant({ checkId: transaction.id, status: 'down', from: failed, to: failed + 600 });

  const early = transactionStates(history, transaction, { from: start, to: failed + 200 });
  const late = transactionStates(history, transaction, { from: start, to: failed + 900 });

  expect(early).toEqual([
    { status: 'up', from: start, to: failed },
    { status: 'down', from: failed, to: failed + 200, since: failed },
  ]);
  expect(late[1]).toEqual({ status: 'down', from: failed, to: failed + 600, since: failed });
});

test.each(['last-test', 'before-now', 'now'] as const)(
  'a report that ends at %s keeps its states when the transaction becomes inactive before its next run',
  (reportsEnd) => {
    const history = calm();
    const stop = start + hour + 299;
    const [run] = transaction.runs;
    const stopped = { ...transaction, runs: run === undefined ? [] : [{ ...run, to: stop }] };
    for (let now = start + hour; now < stop; now++) {
      const before = reportedStates(history, transaction, { from: start, to: now }, now, {
        reportsEnd,
      });
      const end = before.at(-1)?.to ?? start;

      const after = reportedStates(history, stopped, { from: start, to: end }, stop + hour, {
        reportsEnd,
      });

      expect(after).toEqual(before);
    }
  },
);

test('a failure that begins before the range keeps its start', () => {
  const history = calm();
  const failed = start + hour;
  history.plant({ checkId: transaction.id, status: 'down', from: failed, to: failed + hour });

  const [cut] = transactionStates(history, transaction, { from: failed + 777, to: failed + 1000 });

  expect(cut).toEqual({ status: 'down', from: failed + 777, to: failed + 1000, since: failed });
});

test('a failure that goes on over a change of interval is one', () => {
  const change = start + hour + 300;
  const changed: MonitoredCheck = {
    ...transaction,
    runs: [
      { from: start, to: change, resolutionSeconds: 300, phaseSeconds: 0 },
      { from: change, resolutionSeconds: 600, phaseSeconds: 300 },
    ],
  };
  const history = calm();
  history.plant({ checkId: transaction.id, status: 'down', from: start + hour });

  expect(lastDowntime(history, changed, start + 2 * hour)).toEqual({ start: start + hour });
  const states = transactionStates(history, changed, { from: start, to: start + 2 * hour });
  expect(states.filter(({ status }) => status === 'down')).toEqual([
    { status: 'down', from: start + hour, to: start + 2 * hour, since: start + hour },
  ]);
});

test('the last downtime ends with the run that succeeds, and has no end before', () => {
  const history = calm();
  const failed = start + hour;
  history.plant({ checkId: transaction.id, status: 'down', from: failed, to: failed + 600 });

  expect(lastDowntime(history, transaction, failed - 1)).toBeUndefined();
  expect(lastDowntime(history, transaction, failed)).toEqual({ start: failed });
  expect(lastDowntime(history, transaction, failed + 599)).toEqual({ start: failed });
  expect(lastDowntime(history, transaction, failed + 600)).toEqual({
    start: failed,
    end: failed + 600,
  });
});

test('the states are what the runs tell, in any range of any history', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const history = historyOf(scenario);
      const { check, from, length } = scenario;
      const to = from + length;
      const states = transactionStates(history, check, { from, to });
      expect(joined(states)).toEqual(statesOfRuns(history, check, from, to));
    }),
    { numRuns: 300 },
  );
});

test('the last downtime is the last down state of the whole history', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const history = historyOf(scenario);
      const { check, from } = scenario;
      const first = check.runs[0]?.from ?? from;
      const down = joined(
        transactionStates(history, check, { from: first, to: from + 1 }),
      ).findLast(({ status }) => status === 'down');
      const downtime = lastDowntime(history, check, from);
      expect(downtime?.start).toBe(down?.from);
      if (downtime?.end !== undefined) expect(downtime.end).toBe(down?.to);
    }),
    { numRuns: 300 },
  );
});

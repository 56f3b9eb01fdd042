import type { SandboxCheck } from '../../account/checks.ts';
import { week } from '../../lib/instant.ts';
import type { Outage, Segment } from '../../simulation/history.ts';
import {
  fromBegin,
  pauseAfterTests,
  reportBegin,
  reportEnd,
} from '../../simulation/report-bounds.ts';
import type { OperationContext } from '../operation.ts';
import { checkById, inOrder, order, type Period, periodOf, statesPeriod } from '../readers.ts';
import { operation, together } from '../table.ts';

const limitedPeriod = together(['from', 'to'], (inputs, { world, now }) =>
  statesPeriod(
    periodOf(inputs, now, (end) => end - week),
    world.wire,
  ),
);

/** API 3.1, sections 2.9 and 4.4. Unmonitored time is in no state. */
export const readOutages = operation(
  'list_outages',
  'GET /summary.outage/:checkid',
  'list the states of a check with start and end',
  { checkid: checkById, period: limitedPeriod, order },
  ({ checkid: check, period: { from, to }, order: wanted }, context) => {
    const { world, now, askedAt } = context;
    const missed = [...world.history.outages(check, from, to, now)].filter(({ confirmedAt }) =>
      world.lags.misses(check.id, confirmedAt, askedAt),
    );
    const begin = reportBegin(world.history, check, { from, to }, world.wire);
    const known = fromBegin(begin, world.wire, (seconds) =>
      world.history.segments(check, seconds, to, now),
    );
    const tested = missed.length === 0 ? known : without(missed, known);
    const shown = shownStates(check, tested, context);
    const showsPauses = world.wire.pausesInReports === 'unknown';
    const pauses = showsPauses ? pausesOf(check, known, { from, to }) : [];
    const segments = [...shown, ...pauses].sort((a, b) => a.from - b.from);
    const states = segments.map((segment) => ({
      status: segment.status,
      timefrom: segment.from,
      timeto: segment.to,
    }));
    return { summary: { states: inOrder(wanted, states) } };
  },
);

/** The states up to the end of a report. */
function shownStates(
  check: SandboxCheck,
  segments: readonly Segment[],
  { world: { history, wire }, now }: OperationContext,
): Segment[] {
  const end = reportEnd(history, check, now, wire);
  const shown = segments
    .filter(({ from }) => from < end)
    .map((segment) => ({ ...segment, to: Math.min(segment.to, end) }));
  const last = shown.at(-1);
  // A check that was resumed is unknown, too, but not its state before the pause.
  const isUnknown =
    history.stateAt(check, now) === 'unknown' && pauseAfterTests(history, check, now) === undefined;
  const lasts = isUnknown && last?.status === 'unknown' && last.to === end;
  return lasts && wire.unknownInReports === 'absent' ? shown.slice(0, -1) : shown;
}

/** The states without some of the outages: during these, the check seems to be up. */
function without(missed: readonly Outage[], segments: readonly Segment[]): Segment[] {
  const states: Segment[] = [];
  for (const segment of segments) {
    const isMissed =
      segment.status === 'down' &&
      missed.some(
        ({ start, end = Number.POSITIVE_INFINITY }) => start < segment.to && segment.from < end,
      );
    const status = isMissed ? 'up' : segment.status;
    const last = states.at(-1);
    if (last?.status === status && last.to === segment.from) {
      states[states.length - 1] = { ...last, to: segment.to };
    } else states.push({ ...segment, status });
  }
  return states;
}

/**
 * From the end of each run to the first known test of the next, or to the end of the period. The
 * end of the next run begins another pause, even if no test of that run is in the period.
 */
function pausesOf(
  { runs }: SandboxCheck,
  tested: readonly Segment[],
  { from, to }: Period,
): Segment[] {
  return runs.flatMap((run, place): Segment[] => {
    if (run.to === undefined) return [];
    const following = runs[place + 1];
    const resumed = following?.from ?? to;
    const next = tested.find((segment) => segment.from >= resumed)?.from ?? to;
    const end = Math.min(to, next, following?.to ?? to);
    const pause = { from: Math.max(from, run.to), to: end };
    return pause.from < pause.to ? [{ status: 'unknown', ...pause }] : [];
  });
}

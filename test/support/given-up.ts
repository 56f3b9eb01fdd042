import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import type { Segment } from '../../sandbox/src/simulation/history.ts';
import type { TimeRange } from '../../src/domain/interval.ts';

/** The longest time between two tests of a check. */
const longestResolution = 3_600;

/** In time that was given up, nothing has shown a pause. Returns how long the check was not tested. */
export function pausedSecondsIn(tested: readonly Segment[], gap: TimeRange): number {
  const length = gap.toSeconds - gap.fromSeconds;
  return tested.reduce((left, { from, to }) => left - (to - from), length);
}

/**
 * Up to the next test, the state before a time that was given up lasts in it. A report that ends
 * between two tests does not show that, so this part may count as unknown.
 */
export function unprovenIn(tested: readonly Segment[], gap: TimeRange): TimeRange | undefined {
  const { fromSeconds } = gap;
  const [first] = tested;
  if (first === undefined || first.status === 'unknown' || first.from > fromSeconds) {
    return undefined;
  }
  return { fromSeconds, toSeconds: Math.min(fromSeconds + longestResolution, first.to) };
}

/** What the service knows of a check in a range. */
export function testedIn(
  { world, history }: Sandbox,
  checkId: number,
  { fromSeconds, toSeconds }: TimeRange,
  now: number,
): readonly Segment[] {
  const check = world.check(checkId);
  return check === undefined ? [] : history.segments(check, fromSeconds, toSeconds, now);
}

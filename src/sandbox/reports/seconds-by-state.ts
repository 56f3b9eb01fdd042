import type { MonitoredState } from '../../domain/outage.ts';
import type { Segment } from '../history.ts';

/** How long the segments last together, by their state. */
export function secondsByState(segments: Iterable<Segment>): Record<MonitoredState, number> {
  const seconds = { up: 0, down: 0, unknown: 0 };
  for (const { status, from, to } of segments) seconds[status] += to - from;
  return seconds;
}

import { testingProbes } from '../account-data/probes.ts';
import type { History } from '../history.ts';
import type { MonitoredCheck } from '../monitored-check.ts';
import type { Period } from './period.ts';

/** The identifiers of the probes that tested the check in a period, smallest first. */
export function activeProbes(
  history: History,
  check: MonitoredCheck,
  { from, to }: Period,
): number[] {
  const found = new Set<number>();
  for (const { probeId } of history.results(check, from, to + 1)) {
    found.add(probeId);
    if (found.size === testingProbes.length) break;
  }
  return [...found].sort((a, b) => a - b);
}

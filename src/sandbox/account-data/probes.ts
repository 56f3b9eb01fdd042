import type { Probe } from './probe.ts';
import { probes } from './probe-table.ts';

const byId: ReadonlyMap<number, Probe> = new Map(probes.map((probe) => [probe.id, probe]));

/** The probes that test uptime checks. */
export const testingProbes: readonly Probe[] = probes.filter(({ active }) => active);

export function probeOf(id: number): Probe | undefined {
  return byId.get(id);
}

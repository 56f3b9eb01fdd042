import { hashUnit } from '../lib/random.ts';
import { testingProbes } from './account-data/probes.ts';
import type { MonitoredCheck } from './monitored-check.ts';

const probeSalt = 14;

/** The probe that does the check's test at a time, drawn from those that test uptime checks. */
export function probeOfTest(seed: number, check: MonitoredCheck): (time: number) => number {
  return (time) => {
    const place = Math.floor(hashUnit(seed, check.id, time, probeSalt) * testingProbes.length);
    return testingProbes[place]?.id as number;
  };
}

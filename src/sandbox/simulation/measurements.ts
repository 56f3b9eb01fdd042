import { hashUnit } from '../../lib/random.ts';
import type { MonitoredCheck } from './monitored-check.ts';
import { testingProbes } from './probes.ts';

const daySeconds = 86_400;
const dailySwing = 0.25;
const distanceSwing = 0.3;
const noiseSalt = 11;
const peakSalt = 12;
const distanceSalt = 13;

/**
 * Milliseconds a good test of the check takes, by its time and probe: a daily curve on the check's
 * typical time, slower or faster by the probe's distance, with noise per test.
 */
export function responseTimes(
  seed: number,
  check: MonitoredCheck,
): (time: number, probeId: number) => number {
  const peak = hashUnit(seed, check.id, peakSalt);
  return (time, probeId) => {
    const daily = 1 + dailySwing * Math.sin(2 * Math.PI * (time / daySeconds - peak));
    const distance = 1 + distanceSwing * (hashUnit(seed, check.id, probeId, distanceSalt) - 0.5);
    // The third power gives mostly little noise and a slow test now and then.
    const noise = 0.85 + 1.4 * hashUnit(seed, check.id, time, noiseSalt) ** 3;
    return Math.max(1, Math.round(check.typicalResponseMilliseconds * daily * distance * noise));
  };
}

const probeSalt = 14;

/** The probe that does the check's test at a time, drawn from those that test uptime checks. */
export function probeOfTest(seed: number, check: MonitoredCheck): (time: number) => number {
  return (time) => {
    const place = Math.floor(hashUnit(seed, check.id, time, probeSalt) * testingProbes.length);
    return testingProbes[place]?.id as number;
  };
}

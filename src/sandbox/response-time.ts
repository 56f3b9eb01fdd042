import { hashUnit } from '../lib/random.ts';
import type { MonitoredCheck } from './monitored-check.ts';

const daySeconds = 86_400;
const dailySwing = 0.25;
const noiseSalt = 11;
const peakSalt = 12;

/** Milliseconds a good test at `time` takes: a daily curve on the check's typical time, with noise per test. */
export function responseMilliseconds(seed: number, check: MonitoredCheck, time: number): number {
  const peak = hashUnit(seed, check.id, peakSalt);
  const daily = 1 + dailySwing * Math.sin(2 * Math.PI * (time / daySeconds - peak));
  // The third power gives mostly little noise and a slow test now and then.
  const noise = 0.85 + 1.4 * hashUnit(seed, check.id, time, noiseSalt) ** 3;
  return Math.max(1, Math.round(check.typicalResponseMilliseconds * daily * noise));
}

import { hashUnit, type Random } from '../../src/lib/random.ts';

/** A repeatable source of randomness. */
export function seededRandom(seed: number): Random {
  let drawn = 0;
  return () => hashUnit(seed, drawn++);
}

/** A time until the next of events that come at random with this mean distance. */
export function exponential(mean: number, random: Random): number {
  return -mean * Math.log(1 - random());
}

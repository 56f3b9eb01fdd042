import { hashUnit, type Random } from '../../src/lib/random.ts';

/** A repeatable source of randomness. */
export function seededRandom(seed: number): Random {
  let drawn = 0;
  return () => hashUnit(seed, drawn++);
}

/** A random time until the next event, with this mean. */
export function exponential(mean: number, random: Random): number {
  return -mean * Math.log(1 - random());
}

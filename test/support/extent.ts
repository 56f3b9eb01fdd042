/**
 * How much of a law is played. `npm test` shows within minutes that a law holds in some cases; the long
 * tests run the same file again and play all that somebody once found worth it. A file that imports this
 * one is therefore run by both projects of vitest.config.ts, which tells them apart by this variable.
 */
const isWhole = process.env.TEST_EXTENT === 'whole';

/** Runs of a property, hours of a simulation, outages, … : the first in `npm test`, the second in the long tests. */
export function extent<T>(short: T, whole: T): T {
  return isWhole ? whole : short;
}

/** For `test.each`: the cases whose places are named in `npm test`, all of them in the long tests. */
export function casesOf<T>(all: readonly T[], ...places: readonly number[]): readonly T[] {
  if (isWhole) return all;
  return places.map((place) => {
    const one = all.at(place);
    if (one === undefined) throw new Error(`there is no case ${place}`);
    return one;
  });
}

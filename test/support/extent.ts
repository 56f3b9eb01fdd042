/**
 * The extent of a law's test. For each change it is shown within minutes that a law is true in some
 * cases. At night the same file is run with all cases that are worth running. So two projects of
 * vitest.config.ts run a file that imports this one; this variable distinguishes them.
 */
const isWhole = process.env.TEST_EXTENT === 'whole';

/**
 * Runs of a property, hours of a simulation or outages: the first number for each change, the
 * second at night.
 */
export function extent<T>(short: T, whole: T): T {
  return isWhole ? whole : short;
}

/** For `test.each`: each change runs the cases with these indexes, the night runs all. */
export function casesOf<T>(all: readonly T[], ...places: readonly number[]): readonly T[] {
  if (isWhole) return all;
  return places.map((place) => {
    const one = all.at(place);
    if (one === undefined) throw new Error(`there is no case ${place}`);
    return one;
  });
}

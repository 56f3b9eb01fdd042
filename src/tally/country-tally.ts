import type { Probe, Result } from '../domain/results.ts';
import { roundedMilliseconds } from './response-histogram.ts';

/** The raw results of one check from the probes of one country. All numbers only grow. */
export interface CountryTally {
  readonly countryIso: string;
  readonly results: number;
  readonly responseTimes: number;
  readonly sumMilliseconds: number;
}

export type CountryOf = (probeId: number) => string;

/** The country of a probe that is not in the probe list, or has no country there. */
const unknownCountry = 'unknown';

/** The current country of each probe, from the probe list (API 3.1, section 2.6). */
export function countriesOf(probes: readonly Probe[]): CountryOf {
  const countries = new Map(probes.map(({ id, countryIso }) => [id, countryIso]));
  return (probeId) => countries.get(probeId) ?? unknownCountry;
}

/** A result stays counted under its country, even if the probe list later shows another one. */
export function countByCountry(
  tallies: readonly CountryTally[],
  results: readonly Result[],
  countryOf: CountryOf,
): readonly CountryTally[] {
  const counted = new Map(tallies.map((tally) => [tally.countryIso, tally]));
  for (const { probeId, responseTimeSeconds } of results) {
    const countryIso = countryOf(probeId);
    const before = counted.get(countryIso);
    counted.set(countryIso, {
      countryIso,
      results: (before?.results ?? 0) + 1,
      responseTimes: (before?.responseTimes ?? 0) + (responseTimeSeconds === undefined ? 0 : 1),
      sumMilliseconds:
        (before?.sumMilliseconds ?? 0) + roundedMilliseconds(responseTimeSeconds ?? 0),
    });
  }
  return [...counted.values()].sort((a, b) => (a.countryIso < b.countryIso ? -1 : 1));
}

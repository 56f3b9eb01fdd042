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

/** Stands for the country of a probe that the probe list does not have, or has without a country. */
const unknownCountry = 'unknown';

/** The country of each probe as the list (API 3.1, section 2.6) tells it now. */
export function countriesOf(probes: readonly Probe[]): CountryOf {
  const countries = new Map(probes.map(({ id, countryIso }) => [id, countryIso]));
  return (probeId) => countries.get(probeId) ?? unknownCountry;
}

/** A result stays with the country it was counted for, whatever the probe list says later. */
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

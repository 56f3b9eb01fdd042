import { expect, test } from 'vitest';
import { countByCountry, countriesOf } from '../../src/tally/country-tally.ts';

test('a probe is where the probe list says, and of an unknown country when it does not say', () => {
  const countryOf = countriesOf([
    { id: 1, name: 'Stockholm', countryIso: 'SE' },
    { id: 2, name: 'nowhere' },
  ]);

  expect([1, 2, 3].map(countryOf)).toEqual(['SE', 'unknown', 'unknown']);
});

test('what was counted stays with its country when the probe list tells another', () => {
  const results = [{ atSeconds: 5, probeId: 1, status: 'up', responseTimeSeconds: 0.2 }] as const;
  const unlisted = countByCountry([], results, countriesOf([]));

  const moved = countByCountry(
    unlisted,
    [{ atSeconds: 65, probeId: 1, status: 'down' }],
    countriesOf([{ id: 1, name: 'Oslo', countryIso: 'NO' }]),
  );

  expect(moved).toEqual([
    { countryIso: 'NO', results: 1, responseTimes: 0, sumMilliseconds: 0 },
    { countryIso: 'unknown', results: 1, responseTimes: 1, sumMilliseconds: 200 },
  ]);
});

import { expect, test } from 'vitest';
import { refreshAverage } from '../../src/datasets/average.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const now = startSeconds + 600;

/** API 3.1, section 2.9. */
function average(avgresponse: unknown, totalup: number, totaldown: number) {
  return {
    summary: { responsetime: { avgresponse }, status: { totalup, totaldown, totalunknown: 7 } },
  };
}

const [day, week, month] = [average(100, 99, 1), average(200, 3, 1), average(0, 0, 0)];

async function refreshedAverages(replies: readonly unknown[], byCountry: boolean) {
  const { reader, requests } = scriptedReader(...replies);
  const { context, clock, list, state } = watchCheck(reader, byCountry);
  await clock.advance(600_000);
  list();
  const refreshed = await refreshAverage(context)(checkId, signal);
  const averages = state.snapshot().checks?.[0]?.averages;
  return { averages, refreshed, queries: requests.map(({ query }) => query) };
}

test('averages of the day, the week and the month take a request each', async () => {
  const { averages, queries } = await refreshedAverages([day, week, month], false);

  expect(queries).toEqual([
    { from: now - 86_400, to: now, includeuptime: true },
    { from: now - 604_800, to: now, includeuptime: true },
    { from: now - 2_592_000, to: now, includeuptime: true },
  ]);
  expect(averages).toEqual([
    { window: '24h', uptimeRatio: 0.99, responseTimeSeconds: 0.1, byCountry: [] },
    { window: '7d', uptimeRatio: 0.75, responseTimeSeconds: 0.2, byCountry: [] },
    { window: '30d', byCountry: [] },
  ]);
});

test('by country one more request is made, for the day', async () => {
  const countries = average(
    [
      { countryiso: 'SE', avgresponse: 90 },
      { countryiso: 'US', avgresponse: 150 },
      { avgresponse: 1 },
    ],
    99,
    1,
  );

  const { averages, queries, refreshed } = await refreshedAverages(
    [day, countries, week, month],
    true,
  );

  expect(queries).toHaveLength(4);
  expect(queries[1]).toEqual({
    from: now - 86_400,
    to: now,
    includeuptime: true,
    bycountry: true,
  });
  expect(averages?.map(({ byCountry }) => byCountry)).toEqual([
    [
      { countryIso: 'SE', responseTimeSeconds: 0.09 },
      { countryIso: 'US', responseTimeSeconds: 0.15 },
    ],
    [],
    [],
  ]);
  expect(averages?.[0]).toMatchObject({ uptimeRatio: 0.99, responseTimeSeconds: 0.1 });
  expect(refreshed.rejected).toMatchObject([{ reason: 'shape' }]);
});

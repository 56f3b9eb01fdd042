import { expect, onTestFinished, test } from 'vitest';
import { startTestSandbox, token } from '../../sandbox/test/start-test-sandbox.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { HttpClient } from '../../src/api/http/client.ts';
import { createService } from '../../src/api/versions.ts';
import { createRefreshes } from '../../src/datasets/index.ts';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { shopState } from '../state/support/shop.ts';
import { refreshWires } from '../support/refresh-wires.ts';

const { signal } = new AbortController();
const responseTimeBounds = [0.1, 1];

async function watchByCountry() {
  const { sandbox, clock, send } = await startTestSandbox({ checks: 10 });
  const transport = new HttpClient({
    baseUrl: sandbox.url,
    version: '3.1',
    authentication: bearerToken(new Secret(token)),
    gate: { admit: () => ({ release: () => {} }) },
    clock,
    scrubber: new Scrubber(),
  });
  onTestFinished(() => transport.close());
  const service = createService('3.1', transport);
  const state = shopState({
    baseUrl: sandbox.url,
    clock,
    responseTimeBounds,
  });
  const refreshes = createRefreshes({
    ...refreshWires(clock),
    ...{ service, state, clock, responseTimeBounds, byCountry: true },
  });
  const refresh = async (dataset: DatasetName, id = 0) => refreshes.get(dataset)?.(id, signal);
  return { clock, send, state, refresh };
}

interface WireResults {
  readonly results: readonly { probeid: number; responsetime?: number }[];
}

test('results and averages by country are those that the service tells of each probe', async () => {
  const { clock, send, state, refresh } = await watchByCountry();
  await refresh('probes');
  await refresh('checks');
  const [id = 0] = [...state.checks.records()]
    .filter(({ entry }) => entry.status === 'up')
    .map(({ entry }) => entry.id);
  const from = state.checks.get(id)?.totals.results.watermark.startSeconds;
  await clock.advance(2 * 3_600_000);
  await refresh('checks');

  await refresh('results', id);
  await refresh('average', id);

  const to = Math.floor(clock.now() / 1000) - 121;
  const wire = await send<WireResults>(
    'GET',
    `/api/3.1/results/${id}?from=${from}&to=${to}&limit=1000`,
  );
  const probes = await send<{ probes: readonly { id: number; countryiso: string }[] }>(
    'GET',
    '/api/3.1/probes',
  );
  const countries = new Map(probes.body.probes.map((probe) => [probe.id, probe.countryiso]));
  const expected = new Map<string, { results: number; responseTimes: number; sum: number }>();
  for (const { probeid, responsetime } of wire.body.results) {
    const country = countries.get(probeid) ?? 'none';
    const { results, responseTimes, sum } = expected.get(country) ?? {
      results: 0,
      responseTimes: 0,
      sum: 0,
    };
    expected.set(country, {
      results: results + 1,
      responseTimes: responseTimes + (responsetime === undefined ? 0 : 1),
      sum: sum + Number(responsetime ?? 0),
    });
  }
  const row = state.snapshot().checks?.find((check) => check.id === id);
  expect(expected.size).toBeGreaterThan(1);
  expect(row?.results?.byCountry).toEqual(
    [...expected]
      .map(([countryIso, { results, responseTimes, sum }]) => ({
        countryIso,
        results,
        responseTimes,
        responseTimeSumSeconds: sum / 1000,
      }))
      .sort((a, b) => (a.countryIso < b.countryIso ? -1 : 1)),
  );
  const day = row?.averages?.find(({ window }) => window === '24h');
  expect(day?.byCountry.map(({ countryIso }) => countryIso)).toEqual(
    expect.arrayContaining([...expected.keys()]),
  );
});

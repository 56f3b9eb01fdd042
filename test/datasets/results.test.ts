import { describe, expect, test } from 'vitest';
import type { Reader } from '../../src/api/reader.ts';
import fc from '../support/fast-check.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { resultsRefresh } from './support/dataset-refreshes.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const probes = [
  { id: 1, name: 'Stockholm', countryIso: 'SE' },
  { id: 2, name: 'Dallas', countryIso: 'US' },
];

/** Newest first, as the service lists them (API 3.1, section 8). */
const threeResults = {
  results: [
    { time: startSeconds + 150, probeid: 3, status: 'up', responsetime: 40 },
    { time: startSeconds + 90, probeid: 2, status: 'unknown' },
    { time: startSeconds + 30, probeid: 1, status: 'up', responsetime: 250 },
  ],
};

function watchReplies(replies: readonly unknown[], byCountry = false) {
  const { reader, requests } = scriptedReader(...replies);
  const watched = watchCheck(reader, byCountry);
  return { ...watched, requests, refresh: resultsRefresh(watched.context) };
}

test('results are read from the test before the start to where they have settled, and counted up to the last test', async () => {
  const { list, clock, refresh, requests, totals } = watchReplies([threeResults]);
  await clock.advance(600_000);
  list(startSeconds + 590);

  const refreshed = await refresh(checkId, signal);

  expect(requests[0]?.query).toMatchObject({ from: startSeconds - 80, to: startSeconds + 480 });
  expect(refreshed).toEqual({ rejected: [], entries: 3, events: [], isUnfinished: false });
  expect(totals()?.results).toMatchObject({
    watermark: { atSeconds: startSeconds + 151 },
    counts: { up: 2, down: 0, unconfirmed_down: 0, unknown: 1 },
    responseTimes: { boundsSeconds: [0.1, 1], counts: [1, 1, 0], sumMilliseconds: 290 },
  });
  expect(totals()?.results).not.toHaveProperty('byCountry');
});

test('the quantiles of a check are those of the last results that have twenty response times', async () => {
  const times = Array.from({ length: 20 }, (_, place) => place + 1);
  const results = times
    .map((minute) => ({
      ...{ time: startSeconds + 60 * minute, probeid: 1, status: 'up' },
      responsetime: 10 * minute,
    }))
    .toReversed();
  const { list, clock, refresh, state } = watchReplies([{ results }, threeResults]);
  const quantiles = () => state.checks.get(checkId)?.details.quantiles?.value;
  for (const hours of [1, 2]) {
    await clock.advance(3_600_000);
    list(startSeconds + 3_600 * hours - 10);

    await refresh(checkId, signal);

    expect(quantiles()).toMatchObject({ p50Seconds: 0.1, p95Seconds: 0.19 });
  }
});

test('a long time is read in parts', async () => {
  const { list, clock, refresh, requests } = watchReplies([{ results: [] }, { results: [] }]);
  await clock.advance(86_400_000);
  list(startSeconds + 86_390);

  const refreshed = await refresh(checkId, signal);

  expect(requests[0]?.query?.to).toBe(startSeconds + 54_000);
  expect(refreshed.isUnfinished).toBe(true);
  expect((await refresh(checkId, signal)).isUnfinished).toBe(false);
});

test('a response that cannot be used moves nothing', async () => {
  const { list, clock, refresh, totals } = watchReplies([{ results: 'none' }]);
  await clock.advance(600_000);
  list(startSeconds + 590);
  const before = totals();

  await expect(refresh(checkId, signal)).rejects.toMatchObject({ reason: 'shape' });

  expect(totals()).toBe(before);
});

describe('time in which nothing was tested', () => {
  test('costs no request when the list was read after it', async () => {
    const { list, clock, refresh, requests, totals } = watchReplies([{ results: [] }]);
    await clock.advance(600_000);
    list(startSeconds - 900);

    await refresh(checkId, signal);

    expect(requests).toEqual([]);
    expect(totals()?.results.watermark.atSeconds).toBe(startSeconds);

    // A list that lags by half an hour would show the tests by then.
    await clock.advance(3_000_000);
    list(startSeconds - 900);
    await refresh(checkId, signal);

    expect(requests).toEqual([]);
    expect(totals()?.results.watermark.atSeconds).toBe(startSeconds + 1_500);

    // The list is now 4.7 seconds old, and the next one shows a test again.
    await clock.advance(4_700);
    await refresh(checkId, signal);
    const untestedUntil = totals()?.results.watermark.atSeconds ?? Number.NaN;
    await clock.advance(600_000);
    list(startSeconds + 4_140);
    await refresh(checkId, signal);

    expect(Number.isInteger(untestedUntil)).toBe(true);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.query).toMatchObject({ from: untestedUntil - 300 });
  });

  test('is not concluded from a list of an unknown check, whose tests it may not show', async () => {
    const { list, clock, refresh, requests, totals } = watchReplies([threeResults]);
    await clock.advance(3_600_000);
    list(startSeconds - 900, { status: 'unknown' });

    await refresh(checkId, signal);

    expect(requests).toHaveLength(1);
    expect(totals()?.results.counts).toMatchObject({ up: 2, unknown: 1 });
  });

  test.each([
    ['the range began', { pausedSinceSeconds: startSeconds }, 0],
    [
      'a later list, before which it may have been tested',
      { pausedSinceSeconds: startSeconds + 1 },
      1,
    ],
    ['a list that is not known', {}, 1],
  ])('is that of a check that is shown as paused since %s', async (_, since, asked) => {
    const { list, clock, refresh, requests } = watchReplies([threeResults]);
    await clock.advance(3_600_000);
    list(startSeconds - 900, { status: 'paused' }, (states) => ({
      states: { ...states, ...since },
    }));

    await refresh(checkId, signal);

    expect(requests).toHaveLength(asked);
  });

  test.each([true, false])(
    'is not concluded from a list that lacks the check (complete: %s)',
    async (isComplete) => {
      const { list, clock, state, refresh, requests, totals } = watchReplies([threeResults]);
      list(startSeconds - 900);
      await clock.advance(3_600_000);
      state.list('check', [], () => expect.unreachable(), { isComplete });

      await refresh(checkId, signal);

      expect(requests).toHaveLength(1);
      expect(totals()?.results.counts).toMatchObject({ up: 2, unknown: 1 });
    },
  );

  test('is not concluded from a list that was read before it', async () => {
    const { list, clock, refresh, requests, totals } = watchReplies([threeResults]);
    list(startSeconds - 900);
    await clock.advance(600_000);

    await refresh(checkId, signal);

    expect(requests).toHaveLength(1);
    expect(totals()?.results.counts).toMatchObject({ up: 2, unknown: 1 });
  });
});

describe('by country', () => {
  test('results lack the probe list until it is there, and nothing is counted without it', async () => {
    const { list, clock, refresh, state, totals } = watchReplies([threeResults], true);
    await clock.advance(600_000);
    list(startSeconds + 590);
    const before = totals();

    expect(refresh.missingDependency?.()).toBe('probes');
    await expect(refresh(checkId, signal)).rejects.toThrow('probe list');
    expect(totals()).toBe(before);

    state.setAccountData({ probes });
    expect(refresh.missingDependency?.()).toBeUndefined();
  });

  test('results that are not distinguished lack nothing', () => {
    expect(watchReplies([]).refresh.missingDependency?.()).toBeUndefined();
  });

  test('each country has its results and response times, and probes not listed are distinguished', async () => {
    const { list, clock, refresh, state } = watchReplies([threeResults], true);
    await clock.advance(600_000);
    list(startSeconds + 590);
    state.setAccountData({ probes });

    await refresh(checkId, signal);

    expect(state.snapshot().checks?.[0]?.results?.byCountry).toEqual([
      { countryIso: 'SE', results: 1, responseTimes: 1, responseTimeSumSeconds: 0.25 },
      { countryIso: 'US', results: 1, responseTimes: 0, responseTimeSumSeconds: 0 },
      { countryIso: 'unknown', results: 1, responseTimes: 1, responseTimeSumSeconds: 0.04 },
    ]);
  });
});

interface TrueResult {
  readonly at: number;
  readonly probe: number;
  /** Seconds until the service lists it. */
  readonly late: number;
  /** Absent if the target did not respond. */
  readonly milliseconds: number | undefined;
}

/** Responds like the service: newest first, listed results only, at most 1,000. */
function serviceOf(truth: readonly TrueResult[], now: () => number): Reader {
  return {
    baseUrl: 'https://api.example.com',
    get: async ({ query = {} }) => {
      const listed = truth
        .filter(({ at, late }) => at + late <= now())
        .filter(({ at }) => at >= Number(query.from) && at <= Number(query.to))
        .sort((a, b) => b.at - a.at)
        .slice(Number(query.offset), Number(query.offset) + Number(query.limit));
      return {
        results: listed.map(({ at, probe, milliseconds }) => ({
          time: at,
          probeid: probe,
          status: milliseconds === undefined ? 'down' : 'up',
          ...(milliseconds !== undefined && { responsetime: milliseconds }),
        })),
      };
    },
  };
}

const truths = fc.uniqueArray(
  fc.record({
    at: fc.integer({ min: startSeconds, max: startSeconds + 20_000 }),
    probe: fc.integer({ min: 1, max: 3 }),
    late: fc.nat(1_800),
    milliseconds: fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }),
  }),
  { selector: ({ at, probe }) => `${at} ${probe}`, maxLength: 60 },
);

const readings = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 2000 }),
    /** The list fails from time to time. */
    listed: fc.boolean(),
    failed: fc.boolean(),
  }),
);

test('whenever lists and results are read or fail, each result counts once and in one country', async () => {
  await fc.assert(
    fc.asyncProperty(truths, readings, async (truth, plan) => {
      let failed = false;
      const transport = serviceOf(truth, () => clock.now() / 1000);
      const { clock, context, list, state, totals } = watchCheck(
        {
          ...transport,
          get: (request) =>
            failed ? Promise.resolve({ results: 'none' }) : transport.get(request),
        },
        true,
      );
      const refresh = resultsRefresh(context);
      state.setAccountData({ probes });
      const lastTest = () =>
        truth
          .filter(({ at, late }) => at + late <= clock.now() / 1000)
          .reduce((last, { at }) => Math.max(last, at), startSeconds - 100);
      list(lastTest());
      const calm = { after: 1000, listed: true, failed: false };
      for (const reading of [...plan, ...new Array<typeof calm>(26).fill(calm)]) {
        await clock.advance(reading.after * 1000);
        if (reading.listed) list(lastTest());
        failed = reading.failed;
        await refresh(checkId, signal).catch((error) => expect(error.reason).toBe('shape'));
      }

      const times = truth.flatMap(({ milliseconds }) => milliseconds ?? []);
      const sumMilliseconds = times.reduce((sum, time) => sum + time, 0);
      const counted = totals()?.results;
      expect(counted?.counts).toMatchObject({
        up: times.length,
        down: truth.length - times.length,
      });
      expect(counted?.responseTimes.sumMilliseconds).toBe(sumMilliseconds);
      const ofProbe = (probe: number) => truth.filter((result) => result.probe === probe);
      const byCountry = [
        ['SE', ofProbe(1)],
        ['US', ofProbe(2)],
        ['unknown', ofProbe(3)],
      ] as const;
      expect(counted?.byCountry).toEqual(
        byCountry
          .filter(([, results]) => results.length > 0)
          .map(([countryIso, results]) => ({
            countryIso,
            results: results.length,
            responseTimes: results.filter((result) => result.milliseconds !== undefined).length,
            sumMilliseconds: results.reduce((sum, result) => sum + (result.milliseconds ?? 0), 0),
          })),
      );
    }),
    { numRuns: 60 },
  );
});

test('the causes of a requested outage are read first, uncounted, and then what is counted', async () => {
  const { reader, requests } = scriptedReader(
    {
      results: [{ time: startSeconds - 86_400, probeid: 1, status: 'down', statusdesc: 'Timeout' }],
    },
    threeResults,
  );
  const { context, list, clock, state, totals } = watchCheck(reader);
  const refresh = resultsRefresh(context);
  await clock.advance(600_000);
  list(startSeconds + 590);
  const outage = { fromSeconds: startSeconds - 86_400, toSeconds: startSeconds - 86_000 };
  state.causes.ask(checkId, outage, ['results'], clock.monotonic());
  const before = totals()?.results;

  expect(await refresh(checkId, signal)).toMatchObject({
    events: [{ dataset: 'results', id: checkId }],
  });
  expect(requests[0]?.query).toMatchObject({
    from: startSeconds - 90_000,
    to: startSeconds - 86_000,
  });
  expect(totals()?.results).toEqual(before);
  expect(state.checks.get(checkId)?.details.notes?.value).toEqual([
    { atSeconds: startSeconds - 86_400, cause: 'Timeout' },
  ]);

  expect(await refresh(checkId, signal)).toMatchObject({ entries: 3, events: [] });
  expect(totals()?.results.counts).toMatchObject({ up: 2, unknown: 1 });
});

test('a requested outage whose results cannot be read goes on waiting', async () => {
  const { reader } = scriptedReader({ results: 'none' });
  const { context, list, clock, state } = watchCheck(reader);
  await clock.advance(600_000);
  list(startSeconds + 590);
  const outage = { fromSeconds: startSeconds - 86_400, toSeconds: startSeconds - 86_000 };
  state.causes.ask(checkId, outage, ['results'], clock.monotonic());

  await expect(resultsRefresh(context)(checkId, signal)).rejects.toMatchObject({
    reason: 'shape',
  });

  expect(state.causes.stateOf(checkId, outage)).toBe('waiting');
});

import { describe, expect, test } from 'vitest';
import { probes } from '../../../src/simulation/probes.ts';
import fc from '../../support/fast-check.ts';
import { allResults, report, scenarios, type WireResult } from './report-scenarios.ts';

const runs = { numRuns: 100 };
const seconds = { hour: 3600, day: 86_400, week: 604_800 };
const monday = Date.UTC(2026, 0, 5) / 1000;

interface States {
  readonly summary: {
    readonly states: readonly { status: string; timefrom: number; timeto: number }[];
  };
}
interface Average<A = number> {
  readonly summary: {
    readonly responsetime: { readonly from: number; readonly to: number; readonly avgresponse: A };
    readonly status: { totalup: number; totaldown: number; totalunknown: number };
  };
}
interface Interval {
  readonly starttime: number;
  readonly avgresponse: number;
  readonly uptime: number;
  readonly downtime: number;
  readonly unmonitored: number;
}
interface Analyses {
  readonly analysis: readonly { id: number; timefirsttest: number; timeconfirmtest: number }[];
}
interface Actions {
  readonly actions: {
    readonly alerts: readonly { time: number; messageshort: string; checkid: number }[];
  };
}

function meanOf(results: readonly WireResult[]): number {
  const times = results.flatMap(({ responsetime }) => responsetime ?? []);
  if (times.length === 0) return 0;
  return Math.round(times.reduce((sum, time) => sum + time, 0) / times.length);
}

function secondsIn({ summary }: States, status: string): number {
  return summary.states
    .filter((state) => state.status === status)
    .reduce((sum, { timefrom, timeto }) => sum + timeto - timefrom, 0);
}

function sumOf(intervals: readonly Interval[], field: keyof Interval): number {
  return intervals.reduce((sum, interval) => sum + interval[field], 0);
}

function grouped(results: readonly WireResult[], keyOf: (result: WireResult) => string | number) {
  const groups = new Map<string | number, WireResult[]>();
  for (const result of results.filter(({ responsetime }) => responsetime !== undefined)) {
    groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result]);
  }
  return [...groups].map(([key, ofKey]) => [key, meanOf(ofKey)] as const);
}

describe('for any check and period', () => {
  test('the seconds of outages are those of the average', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const outages = report<States>(scenario, 'list_outages');
        const { summary } = report<Average>(scenario, 'get_average', { includeuptime: 1 });

        expect(summary.status).toEqual({
          totalup: secondsIn(outages, 'up'),
          totaldown: secondsIn(outages, 'down'),
          totalunknown: secondsIn(outages, 'unknown'),
        });
      }),
      runs,
    );
  });

  test('the seconds of performance are those of the outages from the start of its first interval', () => {
    fc.assert(
      fc.property(
        scenarios,
        fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
        (scenario, resolution) => {
          const { summary } = report<{ summary: Record<string, Interval[]> }>(
            scenario,
            'get_performance',
            { resolution, includeuptime: 'true' },
          );
          const intervals = summary[`${resolution}s`] ?? [];
          const length = seconds[resolution];
          const first = monday + length * Math.floor((scenario.from - monday) / length);
          const outages = report<States>(scenario, 'list_outages', { from: first });

          expect(intervals.map(({ starttime }) => starttime)).toEqual(
            Array.from(
              { length: Math.ceil((scenario.to - first) / length) },
              (_, place) => first + place * length,
            ),
          );
          expect(sumOf(intervals, 'uptime')).toBe(secondsIn(outages, 'up'));
          expect(sumOf(intervals, 'downtime')).toBe(secondsIn(outages, 'down'));
          for (const { starttime, uptime, downtime, unmonitored } of intervals) {
            const end = Math.min(starttime + length, scenario.to);
            expect(uptime + downtime + unmonitored).toBe(end - starttime);
          }
        },
      ),
      runs,
    );
  });

  test('the averages are the means of the response times of the results, to the nearest millisecond', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const results = allResults(scenario);
        const country = new Map(probes.map(({ id, countryiso }) => [id, countryiso]));
        const average = <A>(flag?: string) =>
          report<Average<A>>(scenario, 'get_average', flag === undefined ? {} : { [flag]: 1 })
            .summary.responsetime.avgresponse;

        expect(average<number>()).toBe(meanOf(results));
        expect(
          average<{ probeid: number; avgresponse: number }[]>('byprobe').map(
            ({ probeid, avgresponse }) => [probeid, avgresponse],
          ),
        ).toEqual(grouped(results, ({ probeid }) => probeid).sort(([a], [b]) => +a - +b));
        expect(
          new Map(
            average<{ countryiso: string; avgresponse: number }[]>('bycountry').map(
              ({ countryiso, avgresponse }) => [countryiso, avgresponse],
            ),
          ),
        ).toEqual(new Map(grouped(results, ({ probeid }) => country.get(probeid) ?? '')));
      }),
      runs,
    );
  });

  test('the averages of some probes, by hour and by interval are those of their results', () => {
    fc.assert(
      fc.property(scenarios, fc.subarray([53, 54, 58, 83], { minLength: 1 }), (scenario, some) => {
        const selection = { probes: some.join(',') };
        const results = allResults(scenario, selection);
        const inHours = report<{ hoursofday: { hour: number; avgresponse: number }[] }>(
          scenario,
          'get_hours_of_day',
          selection,
        ).hoursofday;
        const { hours } = report<{ summary: { hours: Interval[] } }>(
          scenario,
          'get_performance',
          selection,
        ).summary;
        const first = 3600 * Math.floor(scenario.from / 3600);
        const ofIntervals = allResults({ ...scenario, from: first }, selection).filter(
          ({ time }) => Math.floor(time / 3600) * 3600 < scenario.to,
        );

        expect(results.every(({ probeid }) => some.includes(probeid))).toBe(true);
        expect(
          report<Average>(scenario, 'get_average', selection).summary.responsetime.avgresponse,
        ).toBe(meanOf(results));
        expect(inHours.map(({ hour, avgresponse }) => [hour, avgresponse])).toEqual(
          grouped(results, ({ time }) => new Date(time * 1000).getUTCHours()).sort(
            ([a], [b]) => +a - +b,
          ),
        );
        expect(hours.map(({ starttime, avgresponse }) => [starttime, avgresponse])).toEqual(
          grouped(ofIntervals, ({ time }) => 3600 * Math.floor(time / 3600)).reverse(),
        );
      }),
      runs,
    );
  });

  test('the probes of the results are the active ones', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const used = [...new Set(allResults(scenario).map(({ probeid }) => probeid))];
        const sorted = used.sort((a, b) => a - b);

        expect(report(scenario, 'list_active_probes')).toEqual({ probes: sorted });
        expect(report(scenario, 'list_results', { limit: 1 })).toHaveProperty(
          'activeprobes',
          sorted,
        );
      }),
      runs,
    );
  });

  test('paging gives every result once, by offset as by period', () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 50, max: 1000 }), (scenario, limit) => {
        const whole = allResults(scenario);
        const pages: WireResult[] = [];
        for (let to = scenario.to; to >= scenario.from; ) {
          const { results } = report<{ results: WireResult[] }>(scenario, 'list_results', {
            to,
            limit,
          });
          pages.push(...results);
          to = (results.at(-1)?.time ?? scenario.from) - 1;
        }

        expect(new Set(whole.map(({ time }) => time)).size).toBe(whole.length);
        expect(whole.map(({ time }) => time)).toEqual(
          whole.map(({ time }) => time).sort((a, b) => b - a),
        );
        expect(pages).toEqual(whole);
      }),
      runs,
    );
  });

  test('the filters divide the results among them', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const whole = allResults(scenario);
        const only = (status: string) => allResults(scenario, { status });
        const having = (status: string) => whole.filter((result) => result.status === status);

        expect(only('up')).toEqual(having('up'));
        expect(only('down')).toEqual(having('down'));
        expect(only('unconfirmed')).toEqual(having('unconfirmed_down'));
        expect(only('unknown')).toEqual(having('unknown'));
        expect(allResults(scenario, { minresponse: 200, maxresponse: 300 })).toEqual(
          whole.filter(({ responsetime = 0 }) => responsetime >= 200 && responsetime <= 300),
        );
      }),
      runs,
    );
  });

  test('the list shows the newest result and the newest outage', () => {
    fc.assert(
      fc.property(scenarios, ({ world, check, now }) => {
        const scenario = { world, check, now, from: check.created, to: now };
        const newest = report<{ results: WireResult[] }>(scenario, 'list_results', { limit: 1 })
          .results[0];
        const newestError = report<{ results: WireResult[] }>(scenario, 'list_results', {
          limit: 1,
          status: 'down,unconfirmed',
        }).results[0];
        const outage = report<States>(scenario, 'list_outages', {
          order: 'desc',
        }).summary.states.find(({ status }) => status === 'down');
        const listed = world.observer.observe(check, now);

        expect(listed.lastTest?.time).toBe(newest?.time);
        expect(listed.lastTest?.responseMilliseconds).toBe(newest?.responsetime);
        if (listed.status !== 'paused') expect(listed.status).toBe(newest?.status ?? 'unknown');
        expect(listed.lastErrorTime).toBe(newestError?.time);
        expect(listed.lastOutage?.start).toBe(outage?.timefrom);
        expect(listed.lastOutage?.end ?? now).toBe(outage?.timeto ?? now);
      }),
      runs,
    );
  });

  test('outages, analyses, results and alerts tell one story', () => {
    fc.assert(
      fc.property(scenarios, ({ world, check, now }) => {
        const scenario = {
          world,
          check,
          now,
          from: Math.max(check.created, now - 20 * 86_400),
          to: now,
        };
        const { states } = report<States>(scenario, 'list_outages').summary;
        const outages = states.filter(
          ({ status, timefrom }) => status === 'down' && timefrom > scenario.from,
        );
        const { analysis } = report<Analyses>(scenario, 'list_analyses', { limit: 1000 });
        const failures = allResults(scenario, { status: 'down', includeanalysis: 'true' });
        const { alerts } = report<Actions>(scenario, 'list_actions', {
          checkids: check.id,
          limit: 5000,
        }).actions;

        const known = analysis.filter(({ timefirsttest }) => timefirsttest > scenario.from);
        // An outage that has just been confirmed has no analysis yet.
        const { analysisDelaySeconds } = world.wire;
        const isAwaited = alerts.some(
          ({ time, messageshort }) => messageshort === 'down' && time > now - analysisDelaySeconds,
        );
        expect(known.map(({ timefirsttest }) => timefirsttest).reverse()).toEqual(
          outages.slice(0, isAwaited ? -1 : undefined).map(({ timefrom }) => timefrom),
        );
        for (const { id, timefirsttest, timeconfirmtest } of known) {
          const own = failures.filter(({ analysisid }) => analysisid === id);
          const { timeto = 0 } = outages.find(({ timefrom }) => timefrom === timefirsttest) ?? {};
          expect(own.at(-1)?.time).toBe(timeconfirmtest);
          expect(own[0]?.time).toBeLessThanOrEqual(timeto);
          expect(report(scenario, 'get_analysis', { analysisid: id })).toMatchObject({
            analysisresult: { id, checkid: check.id, timefirsttest, timeconfirmtest },
          });
        }
        for (const { analysisid } of failures) expect(analysisid).toBeTypeOf('number');

        for (const { timeconfirmtest } of known) {
          // A new check notifies when it is down twice (API 3.1, section 2.1).
          expect(
            alerts.some(
              ({ time, messageshort }) => time === timeconfirmtest && messageshort === 'down',
            ),
          ).toBe(true);
        }
        for (const { time, messageshort, checkid } of alerts) {
          expect(checkid).toBe(check.id);
          const inOutage = states.find(
            ({ status, timefrom, timeto }) =>
              status === 'down' && timefrom <= time && (time < timeto || timeto === now),
          );
          const endsOutage = states.find(
            ({ status, timeto }) => status === 'down' && timeto === time,
          );
          expect(messageshort === 'down' ? inOutage : endsOutage).toBeDefined();
        }
      }),
      runs,
    );
  });
});

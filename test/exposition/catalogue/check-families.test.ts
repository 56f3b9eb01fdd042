import { describe, expect, it } from 'vitest';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { seriesOf } from '../support/series.ts';
import { aCheck, aSnapshot, everyDataset, fullRow } from '../support/snapshots.ts';

const ofCheck = (check: CheckRow, family: string) =>
  seriesOf(aSnapshot({ checks: [check], datasets: everyDataset() }), `check_${family}`);

describe('families of checks', () => {
  it.each([
    ['state_seconds_total', ['up 8001', 'down 600', 'unknown 30', 'unmonitored 0']],
    ['outages_total', ['2']],
    ['maintenance_seconds_total', ['up 100', 'down 20', 'unknown 0', 'unmonitored 0']],
    ['last_outage_duration_seconds', ['300']],
    ['results_total', ['up 90', 'down 8', 'unconfirmed_down 1', 'unknown 1']],
    ['probe_results_total', ['SE 60', 'US 40']],
    ['probe_response_time_seconds', ['_sum SE 30.5', '_count SE 55', '_sum US 31', '_count US 37']],
    ['analyses_total', ['3']],
    ['uptime_ratio', ['24h 0.75', '30d 1']],
    ['average_response_time_seconds', ['24h 0.4', '30d 0.5']],
    ['country_average_response_time_seconds', ['SE 0.35']],
    ['hourly_average_response_time_seconds', ['0.45']],
    ['hourly_uptime_seconds', ['3000']],
    ['hourly_downtime_seconds', ['500']],
    ['hourly_unmonitored_seconds', ['100']],
    ['hour_of_day_average_response_time_seconds', ['0 0.3', '23 0.6']],
    ['response_time_threshold_seconds', ['30']],
    ['certificate_warning_seconds', ['864000']],
    ['notification_recipients', ['user 1', 'team 2', 'integration 0', 'contact 4']],
    ['active_probes', ['12']],
    ['in_maintenance', ['1']],
    ['next_maintenance_start_timestamp_seconds', ['1700100000']],
  ])('%s', async (family, series) => {
    expect(await ofCheck(fullRow(1), family)).toEqual(series);
  });

  it.each([
    ['up', ['1']],
    ['down', ['0']],
    ['unconfirmed_down', ['0']],
    ['paused', []],
    ['unknown', []],
  ] as const)('shows whether a check is up by its status: %s', async (status, series) => {
    expect(await ofCheck(aCheck({ status }), 'up')).toEqual(series);
  });

  it('accumulates the buckets of the response times, and counts the ones above all bounds', async () => {
    expect(await ofCheck(fullRow(1), 'response_time_seconds')).toEqual([
      '_bucket 0.1 40',
      '_bucket 1.0 85',
      '_bucket 2.5 90',
      '_bucket +Inf 92',
      '_sum 61.5',
      '_count 92',
    ]);
  });

  it('has no maintenance seconds of a check that never had maintenance', async () => {
    const seconds = { up: 60, down: 0, unknown: 0, unmonitored: 0 };
    const check = aCheck({ availability: { seconds, outages: 0 } });

    expect(await ofCheck(check, 'maintenance_seconds_total')).toEqual([]);
    expect(await ofCheck(check, 'last_outage_duration_seconds')).toEqual([]);
    expect(await ofCheck(check, 'outages_total')).toEqual(['0']);
  });

  it('has nothing by country unless it was asked for', async () => {
    const { results } = fullRow(1);
    const { byCountry: _, ...others } = results ?? {
      byStatus: { up: 0, down: 0, unconfirmed_down: 0, unknown: 0 },
      responseTime: { bounds: [], counts: [], sumSeconds: 0 },
    };
    const check = aCheck({ results: others });

    expect(await ofCheck(check, 'probe_results_total')).toEqual([]);
    expect(await ofCheck(check, 'probe_response_time_seconds')).toEqual([]);
    expect(await ofCheck(check, 'results_total')).toHaveLength(4);
  });
});

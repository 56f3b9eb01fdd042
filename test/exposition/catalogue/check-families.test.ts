import { describe, expect, it } from 'vitest';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { seriesOf } from '../support/series.ts';
import { aCheck, aSnapshot, everyDataset, fullRow } from '../support/snapshots.ts';

const ofCheck = (check: CheckRow, family: string) =>
  seriesOf(aSnapshot({ checks: [check], datasets: everyDataset() }), `check_${family}`);

describe('families of checks', () => {
  it.each([
    ['up', ['1'], ['0']],
    ['down', ['0'], ['0']],
    ['unconfirmed_down', ['0'], ['0']],
    ['paused', [], ['1']],
    ['unknown', [], ['0']],
  ] as const)(
    'shows whether a check is up, and whether it is paused, by its status: %s',
    async (status, up, paused) => {
      expect(await ofCheck(aCheck({ status }), 'up')).toEqual(up);
      expect(await ofCheck(aCheck({ status }), 'paused')).toEqual(paused);
    },
  );

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

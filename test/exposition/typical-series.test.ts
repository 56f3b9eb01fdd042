import { describe, expect, it } from 'vitest';
import { defaultResponseTimeBounds } from '../../src/config/account.ts';
import { datasetPolicies } from '../../src/domain/dataset.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { typicalSeries } from '../../src/exposition/typical-series.ts';
import { sandboxAccount } from '../support/sandbox-exporter.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const settings = {
  version: '3.1',
  isEnabled: (dataset) => datasetPolicies[dataset].enabledByDefault,
  areResultsHourly: false,
  byCountry: false,
  responseTimeBounds: defaultResponseTimeBounds,
} as const satisfies Parameters<typeof typicalSeries>[1];

/** The helpers wait until no request is in flight. */
const inFlight = ['uptime_exporter_api_requests_in_flight'];

describe('metrics: lean', () => {
  it('has at most 20 series for a check that was up for 30 days, and 30 for one with outages', () => {
    const { upCheck, failedCheck } = typicalSeries(ServedFamilies.lean, settings);

    expect(upCheck).toBeLessThanOrEqual(20);
    // For a day after the outage: its end, that it does not flap, and when it began.
    expect(failedCheck + 3).toBeLessThanOrEqual(30);
    expect(150 * upCheck + 50 * (failedCheck + 3)).toBeLessThanOrEqual(4_500);
  });
});

describe.each([100_000, 400])('metrics: lean with %i requests an hour', (shortLimit) => {
  it('has on the page the series that are computed for a check that was up', async () => {
    const served = new ServedFamilies({ mode: 'lean', include: inFlight });
    const watched = await startWatchedSandbox({
      checks: 12,
      shortLimit,
      longLimit: 180 * shortLimit,
      configuration: (url) => ({ accounts: [sandboxAccount({ url })], served }),
    });
    await watched.settled((page) => page.includes('uptime_check_up{'));
    await watched.pass(5 * 60_000);

    const page = await watched.page();

    const areResultsHourly = shortLimit > 1_000;
    expect(page.includes('uptime_check_response_time_seconds_bucket{')).toBe(areResultsHourly);
    const { upCheck } = typicalSeries(served, { ...settings, areResultsHourly });
    expect(seriesOfUpCheck(page)).toBe(upCheck);
  });
});

/** Not in the computed number: tags, maintenance, and the last outage before the last 30 days. */
const more =
  /^uptime_check_(?:tag_info|next_maintenance|maintenance_seconds|last_(?:down|error|outage))/;

/** How many series a check has that is up, did not fail within 30 days and has been read. */
function seriesOfUpCheck(page: string): number {
  const series = new Map<string, string[]>();
  for (const [, family = '', id = ''] of page.matchAll(
    /^(uptime_check_\w+)\{[^}]*?check_id="(\d+)"/gm,
  )) {
    if (!more.test(family)) series.set(id, [...(series.get(id) ?? []), family]);
  }
  const isUp = (families: readonly string[]) =>
    families.includes('uptime_check_up') && !families.includes('uptime_check_burn_rate');
  return Math.max(...[...series.values()].filter(isUp).map(({ length }) => length));
}

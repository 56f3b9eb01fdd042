import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { sandboxAccount } from '../support/sandbox-exporter.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

/** The helpers wait until no request is in flight. */
const inFlight = ['uptime_exporter_api_requests_in_flight'];

const metricsGuide = new URL('../../docs/metrics.md', import.meta.url);

describe.each([
  ['hourly results', 100_000],
  ['rare results', 400],
])('metrics: lean with %s', (results, shortLimit) => {
  it('has the documented series for a check that was up, and at most 10 more for one with outages', async () => {
    const guide = await readFile(metricsGuide, 'utf8');
    const [, rare, hourly] = guide.match(/has (\d+) series, and (\d+) where its results/) ?? [];

    const { up, failed } = seriesOfChecks(await leanPage(shortLimit));

    expect(up).toBe(Number(results === 'hourly results' ? hourly : rare));
    expect(failed).toBeGreaterThan(up);
    expect(failed - up).toBeLessThanOrEqual(10);
  });
});

async function leanPage(shortLimit: number): Promise<string> {
  const served = new ServedFamilies({ mode: 'lean', include: inFlight });
  const watched = await startWatchedSandbox({
    checks: 12,
    shortLimit,
    longLimit: 180 * shortLimit,
    configuration: (url) => ({ accounts: [sandboxAccount({ url })], served }),
  });
  await watched.settled((text) => text.includes('uptime_check_up{'));
  await watched.pass(5 * 60_000);
  return watched.page();
}

/** Not counted: tags, maintenance, and the last outage of a check from before the last 30 days. */
const more =
  /^uptime_check_(?:tag_info|next_maintenance|maintenance_seconds|last_(?:down|error|outage))/;

/** The most series of a check without and with outages in the last 30 days. */
function seriesOfChecks(page: string): { readonly up: number; readonly failed: number } {
  const families = new Map<string, string[]>();
  for (const [, family = '', id = ''] of page.matchAll(
    /^(uptime_check_\w+)\{[^}]*?check_id="(\d+)"/gm,
  )) {
    families.set(id, [...(families.get(id) ?? []), family]);
  }
  const checks = [...families.values()];
  const hasFailed = (names: readonly string[]) => names.includes('uptime_check_burn_rate');
  const most = (counts: readonly number[]) => Math.max(...counts);
  return {
    up: most(
      checks
        .filter((names) => names.includes('uptime_check_up') && !hasFailed(names))
        .map((names) => names.filter((name) => !more.test(name)).length),
    ),
    failed: most(
      checks
        .filter(hasFailed)
        .map((names) => names.filter((name) => !name.endsWith('_tag_info')).length),
    ),
  };
}

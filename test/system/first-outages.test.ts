import { expect, test } from 'vitest';
import type { Segment } from '../../sandbox/src/simulation/history.ts';
import { startedRun } from '../../sandbox/src/simulation/monitored-check.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { errorRanges, rangeLengths } from '../../src/slo/range-seconds.ts';
import type { Samples } from '../support/counter-watch.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { accountsByVersion } from '../support/windows-month.ts';

const minute = 60;
const day = 86_400;
const objective = 0.999;
/** SEED=n draws other phases and other outages. */
const seed = Number(process.env.SEED ?? 1);

/** Checks of each resolution that never failed before, each with its own outage. */
function plantFirstOutages({ sandbox, now }: RestartableExporter, minutes: readonly number[]) {
  const { world } = sandbox;
  // The first ones have other roles, or maintenance.
  const checks = world.checks.slice(-minutes.length);
  checks.forEach((check, place) => {
    const resolutionMinutes = minutes[place] ?? 1;
    const resolutionSeconds = resolutionMinutes * minute;
    const draw = (what: number) => hashUnit(seed, place, what);
    // The first test is made at once.
    const created = now - (place % 2 === 0 ? 40 : 1) * day - Math.floor(draw(2) * 7_000);
    const runs = [startedRun(created, resolutionMinutes)];
    world.registry.put({ ...check, created, resolutionMinutes, runs });
    world.plant({ checkId: check.id, status: 'up', from: created, to: now + 40 * day });
    const from = Math.floor(now + minute + draw(3) * resolutionSeconds);
    const to = Math.floor(from + (1 + 4 * draw(4)) * resolutionSeconds);
    world.plant({ checkId: check.id, status: 'down', from, to });
  });
  return checks.map(({ id }) => id);
}

function seconds(segments: readonly Segment[], state: string, from: number, end: number): number {
  return segments
    .filter(({ status }) => status === state)
    .reduce(
      (sum, span) => sum + Math.max(0, Math.min(end, span.to) - Math.max(from, span.from)),
      0,
    );
}

/** Errors of a check's windows. All end at the same moment, which is not before the last list. */
function problemOf(
  { sandbox, now }: RestartableExporter,
  samples: Samples,
  id: number,
  listedAt: number,
): string | undefined {
  const check = sandbox.world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const { history } = sandbox;
  const known = history.segments(check, check.created, listedAt, listedAt);
  const last = known.at(-1);
  const segments = last === undefined ? [] : [...known.slice(0, -1), { ...last, to: now }];
  // The next test shows whether a failure is confirmed. Until then the windows wait.
  const isUnconfirmed = history.stateAt(check, listedAt) === 'unconfirmed_down';
  const tested = history.lastTest(check, listedAt)?.time ?? 0;
  const earliest = isUnconfirmed ? tested : listedAt;
  const shown = (name: string, labels = '') =>
    samples.get(`uptime_check_${name}{account="shop",check_id="${id}"${labels}}`);
  const problems: string[] = [];
  for (let end = now; end >= earliest; end--) {
    const problem = wrongAt(end);
    if (problem === undefined) return undefined;
    problems.push(`${problem} (${now - end} s ago)`);
  }
  return `check ${id} of ${check.resolutionMinutes} minutes at ${now}: ${problems.join('; ')}`;

  function wrongAt(end: number): string | undefined {
    const hasFailed = seconds(segments, 'down', end - 30 * day, end) > 0;
    for (const window of errorRanges) {
      const begin = Math.max(check?.created ?? 0, end - rangeLengths[window]);
      const down = seconds(segments, 'down', begin, end);
      const monitored = down + seconds(segments, 'up', begin, end);
      const label = `,window="${window}"`;
      const isShown = monitored > 0 && (hasFailed || window === '30d');
      const ratio = isShown ? down / monitored : undefined;
      const least = Math.max(monitored, rangeLengths[window] / 2);
      const pace = hasFailed ? down / least / (1 - objective) : undefined;
      if (!isClose(shown('error_ratio', label), ratio)) {
        return `${window} ratio ${shown('error_ratio', label)}, not ${ratio}`;
      }
      if (!isClose(shown('burn_rate', label), pace)) {
        return `${window} burn rate ${shown('burn_rate', label)}, not ${pace}`;
      }
      if (window !== '30d' || ratio === undefined) continue;
      const left = 1 - ratio / (1 - objective);
      const remaining = shown('error_budget_remaining_ratio');
      if (!isClose(remaining, left)) return `budget ${remaining}, not ${left}`;
    }
    return undefined;
  }
}

function isClose(shown: number | undefined, truth: number | undefined): boolean {
  if (shown === undefined || truth === undefined) return shown === truth;
  return Math.abs(shown - truth) <= 1e-9 * Math.max(1, Math.abs(truth));
}

const cases: readonly (readonly [ApiVersion, readonly number[], number])[] = [
  ['3.1', [1, 5, 15, 30, 60, 1, 5, 60], 420],
  ['2.1', [1, 5, 15, 30, 60, 1, 5, 60], 420],
  ['2.0', [1, 5, 15, 30, 60, 1, 5, 60], 420],
];

test.each(casesOf(cases, 0))(
  'with API %s ratios, burn rates and budgets are true at every minute of first outages, of checks tested every 1 to 60 minutes',
  async (version, resolutions, minutes) => {
    const exporter = await RestartableExporter.create({
      checks: 26 + resolutions.length,
      transactions: 0,
      shortLimit: 4_000,
      longLimit: 720_000,
      account: accountsByVersion[version],
    });
    const { journal, history, world } = exporter.sandbox;
    const ids = plantFirstOutages(exporter, resolutions);
    await exporter.start();
    await exporter.pass(5);
    const wrong: string[] = [];
    const seenDown = new Set<number>();
    for (let passed = 0; passed < extent(45, minutes); passed++) {
      await exporter.pass(minute);
      const samples = await exporter.scrape();
      // A list is on the page a second later.
      const list = journal.recent.findLast(
        ({ operation, status, time }) =>
          operation === 'list_checks' && status === 200 && time < (exporter.now - 2) * 1000,
      );
      const listedAt = Math.floor((list?.time ?? 0) / 1000);
      for (const id of ids) {
        const problem = problemOf(exporter, samples, id, listedAt);
        if (problem !== undefined) wrong.push(problem);
        const check = world.check(id);
        if (check !== undefined && history.stateAt(check, listedAt) === 'down') seenDown.add(id);
      }
    }

    expect(wrong).toEqual([]);
    expect(seenDown.size).toBeGreaterThanOrEqual(extent(3, ids.length - 2));
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secondsIn, Truth } from '../life/truth.ts';
import { World } from '../life/world.ts';
import { BackfilledPrometheus } from '../support/backfilled-prometheus.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { statesOnly } from '../support/states-only.ts';
import { findTool, missing } from '../support/tools.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const at = (text: string) => Date.parse(text) / 1000;
/** The month of the queries in the document. */
const month = { from: at('2026-10-01T00:00Z'), to: at('2026-11-01T00:00Z') };
/** The time between two lists, and between two scrapes. */
const [listSeconds, scrapeSeconds] = [30 * minute, 2 * hour];

/** The queries of the document, by the comment before each. */
function documentedQueries(): ReadonlyMap<string, string> {
  const document = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'objectives.md'),
    'utf8',
  );
  const [, section = ''] = document.split('### The same from Prometheus');
  const queries = new Map<string, string>();
  for (const [, title = '', query = ''] of section.matchAll(/^ {4}# (.*)\n((?: {4}.*\n)+)/gm)) {
    queries.set(title, query);
  }
  return queries;
}

/** A whole month, in which each check but the first has an outage. */
async function playMonth() {
  const world = World.inMemory({
    checks: 4,
    transactions: 0,
    startMilliseconds: (month.from - 6 * hour) * 1000,
    datasets: { ...statesOnly, checks: { floorSeconds: listSeconds } },
  });
  onTestFinished(() => world.stop());
  const { world: service } = world.sandbox;
  const ids = service.checks.map(({ id }) => id).sort((a, b) => a - b);
  const [, failing = 0, maintained = 0, late = 0] = ids;
  for (const { id } of service.maintenance.windows.all) service.maintenance.remove(id);
  for (const id of ids) {
    service.plant({ checkId: id, status: 'up', from: month.from - 40 * day, to: month.to + day });
  }
  const down = (checkId: number, from: number, seconds: number) =>
    service.plant({ checkId, status: 'down', from, to: from + seconds });
  down(failing, month.from + 3 * day, 2 * hour);
  down(failing, month.from + 20 * day + 7 * minute, 35 * minute);
  down(maintained, month.from + 12 * day, hour);
  const [from, to] = [month.from + 12 * day - hour, month.from + 12 * day + 3 * hour];
  planMaintenance(service, { from, to, uptimeids: [maintained] });
  down(late, month.to - 20 * minute, hour);
  await world.start();
  const lines: string[] = [];
  while (world.now < month.to + 4 * hour) {
    await world.pass(scrapeSeconds);
    for (const line of (await world.page()).split('\n')) {
      if (line.startsWith('uptime_check_state_seconds_total{')) lines.push(`${line} ${world.now}`);
    }
  }
  const report = JSON.parse(await world.get('/report.json?month=2026-10')) as {
    readonly items: readonly {
      readonly id: number;
      readonly availability: number;
      readonly down_seconds: number;
    }[];
  };
  // A family's samples are together, in the order of their series and times.
  const text = [
    '# TYPE uptime_check_state_seconds counter',
    ...lines.sort((a, b) => (seriesOf(a) < seriesOf(b) ? -1 : 1)),
    '# EOF',
    '',
  ].join('\n');
  const truth = new Truth(world.sandbox);
  const downInMonth = (id: number) => secondsIn(truth.spans(id, month, world.now), month).down;
  return { ids, report, text, downInMonth };
}

function seriesOf(line: string): string {
  return line.slice(0, line.indexOf('}'));
}

describe.skipIf(missing('prometheus') || missing('promtool'))('the report of a month', () => {
  test('agrees with the documented queries in Prometheus, and differs where they say', async () => {
    const { ids, report, text, downInMonth } = await playMonth();
    const [flawless = 0, failing = 0, maintained = 0, late = 0] = ids;
    const prometheus = await BackfilledPrometheus.create(findTool('prometheus') ?? '');
    await prometheus.importText(findTool('promtool') ?? '', text);
    await prometheus.start();
    onTestFinished(() => prometheus.stop());
    const queries = documentedQueries();
    expect([...queries.keys()]).toEqual([
      'seconds down, with maintenance',
      'availability, with maintenance',
    ]);
    const valuesOf = async (title: string) => {
      const series = await prometheus.query(queries.get(title) ?? '');
      return new Map(
        series.map(({ labels, samples }) => [Number(labels.check_id), samples[0]?.[1] ?? 0]),
      );
    };
    const down = await valuesOf('seconds down, with maintenance');
    const available = await valuesOf('availability, with maintenance');
    const row = (id: number) => {
      const found = report.items.find((item) => item.id === id);
      if (found === undefined) throw new Error(`the report has no ${id}`);
      return found;
    };
    // The increase is extrapolated over at most a scrape at each end.
    const stretch = (2 * scrapeSeconds) / (month.to - month.from);
    const within = (value: number | undefined, truth: number) => {
      expect(Math.abs((value ?? Number.NaN) - truth)).toBeLessThanOrEqual(truth * stretch);
    };

    expect(down.get(flawless)).toBe(0);
    expect(available.get(flawless)).toBe(1);
    expect(row(failing).down_seconds).toBe(downInMonth(failing));
    within(down.get(failing), row(failing).down_seconds);
    const [inPrometheus = Number.NaN, inReport] = [
      available.get(failing),
      row(failing).availability,
    ];
    within(1 - inPrometheus, 1 - inReport);

    // Maintenance is in these counters, and not in the report.
    expect(row(maintained)).toMatchObject({ availability: 1, down_seconds: 0 });
    within(down.get(maintained), hour);
    within(1 - (available.get(maintained) ?? Number.NaN), hour / (month.to - month.from));

    // What was counted after the end of the month is missing.
    expect(row(late).down_seconds).toBe(downInMonth(late));
    expect(down.get(late)).toBeLessThan(downInMonth(late));
  });
});

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { BackfilledPrometheus, extrapolated } from '../support/backfilled-prometheus.ts';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';
import { checkStates, transactionStatesTruth } from '../support/service-truth.ts';
import { findTool, missing } from '../support/tools.ts';

const day = 86_400;
const kinds = ['check', 'transaction'] as const;
const states = ['up', 'down', 'unknown', 'unmonitored'] as const;

/** What an item had been for at a moment: up to the first sight, and live, up to its horizon then. */
interface Live {
  readonly at: number;
  readonly seconds: Readonly<Record<(typeof states)[number], number>>;
  readonly outages: number;
}

interface History {
  readonly exporter: RestartableExporter;
  /** The pages of the live exporter as OpenMetrics with times, as a server that scraped them has them. */
  readonly liveText: string;
  readonly live: ReadonlyMap<string, readonly Live[]>;
  readonly firstSeen: ReadonlyMap<string, number>;
  readonly from: number;
}

/** An account with a past, some hours of live scrapes, and a finished backfill job. */
async function makeHistory(days: number, checks: number, transactions: number): Promise<History> {
  const account = { concurrency: 8 };
  const exporter = await RestartableExporter.create({ checks, transactions, account });
  await exporter.start();
  await exporter.pass(60);
  // More of it than in the whole past of some: no server sees a reset there without the explicit 0.
  for (const { id: checkId } of exporter.sandbox.world.checks) {
    const from = exporter.now + 120;
    exporter.sandbox.world.plant({ checkId, status: 'down', from, to: from + 1_800 });
  }
  const lines = new Map<string, string[]>();
  const live = new Map<string, Live[]>();
  const firstSeen = new Map<string, number>();
  for (let scrape = 0; scrape < extent(60, 180); scrape++) {
    const page = await exporter.page();
    const at = exporter.now;
    for (const line of page.split('\n')) {
      const [, name = ''] =
        /^(uptime_(?:check|transaction)_(?:state_seconds|outages)_total)\{/.exec(line) ?? [];
      // The server was set up later.
      if (name === '' || scrape < 40) continue;
      const series = line
        .slice(0, line.lastIndexOf(' '))
        .replace(/\}$/, ',job="uptime",instance="a:1"}');
      const known = lines.get(series) ?? [];
      lines.set(series, [...known, `${series} ${line.slice(line.lastIndexOf(' ') + 1)} ${at}`]);
    }
    const { items } = await exporter.disk.load('shop');
    for (const kind of kinds) {
      for (const [id, { states: counted }] of items[kind]) {
        const key = `${kind} ${id}`;
        const { startSeconds, horizonSeconds } = counted;
        firstSeen.set(key, startSeconds);
        const span = { fromSeconds: startSeconds, toSeconds: horizonSeconds };
        const truth = (kind === 'check' ? checkStates : transactionStatesTruth)(
          ...([exporter.sandbox, id, span, exporter.now] as const),
        );
        live.set(key, [...(live.get(key) ?? []), { at, ...truth }]);
      }
    }
    await exporter.pass(60);
  }
  const from = exporter.now - days * day;
  const url = `${exporter.url}/-/backfill?from=${from}`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(202);
  for (let turn = 0; ; turn++) {
    if (turn === 100) throw new Error('the backfill job did not end');
    const text = await (await fetch(`${exporter.url}/-/backfill`)).text();
    if (text.includes('"state":"done"')) break;
    await exporter.pass(300);
  }
  const byFamily = [...lines.keys()].sort();
  let family = '';
  const texts = byFamily.map((series) => {
    const name = series.slice(0, series.indexOf('_total{'));
    const header = name === family ? '' : `# TYPE ${name} counter\n`;
    family = name;
    return `${header}${(lines.get(series) ?? []).join('\n')}\n`;
  });
  return { exporter, liveText: `${texts.join('')}# EOF\n`, live, firstSeen, from };
}

/** Random ranges inside the past, across the first sight, and after it; the same in every run. */
function* rangesOf(history: History, count: number) {
  const { firstSeen } = history;
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const keys = [...firstSeen.keys()];
  for (let place = 0; place < count; place++) {
    const key = keys[Math.floor(random() * keys.length)] ?? '';
    const seam = firstSeen.get(key) ?? 0;
    const begin = beginningOf(history, key);
    const inside = () => begin + 2 * day + random() * (seam - begin - 3 * day);
    const after = () => seam + 2_600 + random() * 400;
    const kind = place % 3;
    const [a, b] =
      kind === 0 ? [inside(), inside()] : kind === 1 ? [inside(), after()] : [after(), after()];
    const fromSeconds = Math.floor(Math.min(a, b));
    const length = Math.max(kind === 2 ? 600 : 3 * 3_600, Math.floor(Math.abs(a - b)));
    yield { key, fromSeconds, toSeconds: fromSeconds + length };
  }
}

/** Of the past of an item: nothing is known of the time before it was created. */
function beginningOf({ exporter: { sandbox }, from }: History, key: string): number {
  const [kind = '', id = ''] = key.split(' ');
  const created =
    kind === 'check'
      ? sandbox.world.check(Number(id))?.created
      : sandbox.world.transactions.find(Number(id))?.createdAt;
  return Math.max(from, created ?? 0);
}

/** The true counter of an item at the time of a sample: what it would be without a reset. */
function truthAt(history: History, key: string, at: number) {
  const { exporter, live, firstSeen } = history;
  const [kind = '', text = ''] = key.split(' ');
  const id = Number(text);
  const seam = firstSeen.get(key) ?? 0;
  const { sandbox } = exporter;
  const fromSeconds = beginningOf(history, key);
  const truthOf = kind === 'check' ? checkStates : transactionStatesTruth;
  const toSeconds = Math.max(fromSeconds, Math.min(Math.ceil(at), seam));
  const past = truthOf(sandbox, id, { fromSeconds, toSeconds }, exporter.now);
  const counted = live.get(key)?.find((known) => Math.abs(known.at - at) < 0.5);
  return { past, counted, isLive: at >= seam };
}

const days = Number(process.env.DAYS ?? 60);
const checks = Number(process.env.CHECKS ?? 20);

const servers = [
  { name: 'Prometheus 2', prometheus: 'prometheus', promtool: 'promtool', major: 2 },
  { name: 'Prometheus 3', prometheus: 'prometheus-3', promtool: 'promtool-3', major: 3 },
] as const;
const present = servers.filter(
  ({ prometheus, promtool }) => !missing(prometheus) && !missing(promtool),
);

describe('history that was imported', () => {
  test('is what the service knows: inside, across the first sight, and after it', async () => {
    const history = await makeHistory(extent(4, days), extent(6, checks), extent(2, checks / 10));
    const { exporter } = history;
    for (const { name, prometheus, promtool, major } of extent(present.slice(-1), present)) {
      const server = await BackfilledPrometheus.create(findTool(prometheus) ?? '');
      await mkdir(server.data, { recursive: true });
      await server.importText(findTool(promtool) ?? '', history.liveText);
      await server.start();
      const before = await server.eventually('scrape_samples_scraped{job="other"} > 0');
      const others = await server.query('count_over_time(up{job="other"}[1h])');
      const output = join(await temporaryFolder(), 'history');
      // So that the fine step begins in the middle of the past.
      const now = (history.from + (extent(2, days - 30) + 30) * day) * 1_000;
      const told = await runBackfill(
        {
          ...{ exporter: exporter.url, from: `${history.from}`, output, prometheus: server.url },
          ...{ blocks: server.data, promtool: findTool(promtool) ?? '' },
        },
        { now },
      );
      expect(told).not.toContain('Not written');
      expect((await readdir(output)).sort()).toEqual(['backfill.json', 'items.ndjson']);
      await server.stop();
      await server.start();
      // The live data of another job are all there.
      const [kept] = await server.query('count_over_time(up{job="other"}[1h])');
      expect(kept?.samples[0]?.[1]).toBeGreaterThanOrEqual(others[0]?.samples[0]?.[1] ?? 1);
      expect(before).toHaveLength(1);
      let compared = 0;
      for (const { key, fromSeconds, toSeconds } of rangesOf(history, 50)) {
        const [kind = '', id = ''] = key.split(' ');
        const range = `[${toSeconds - fromSeconds}s]`;
        const selectors = [
          ...states.map((state) => ({
            state,
            selector: `uptime_${kind}_state_seconds_total{check_id="${id}",state="${state}"}`,
          })),
          { state: 'outages' as const, selector: `uptime_${kind}_outages_total{check_id="${id}"}` },
        ];
        for (const { state, selector } of selectors) {
          const [raw, ...more] = await server.query(`${selector}${range}`, toSeconds);
          const [shown] = await server.query(`increase(${selector}${range})`, toSeconds);
          expect(more).toEqual([]);
          const times = raw?.samples.map(([at]) => at) ?? [];
          const [first, last] = [times[0], times.at(-1)];
          if (first === undefined || last === undefined || times.length < 2) {
            throw new Error(`${key} has no samples in ${fromSeconds} to ${toSeconds}`);
          }
          const valueAt = (at: number) => {
            const { past, counted, isLive } = truthAt(history, key, at);
            const of = (truth: typeof past | Live | undefined) =>
              truth === undefined ? 0 : state === 'outages' ? truth.outages : truth.seconds[state];
            return {
              whole: of(past) + (isLive ? of(counted) : 0),
              shown: isLive ? of(counted) : of(past),
            };
          };
          const increase = valueAt(last).whole - valueAt(first).whole;
          const expected = extrapolated(
            { first, last, count: times.length, increase, firstValue: valueAt(first).shown },
            { fromSeconds, toSeconds },
            major,
          );
          const value = shown?.samples[0]?.[1] ?? Number.NaN;
          expect({
            name,
            selector,
            fromSeconds,
            toSeconds,
            wrong: Math.abs(value - expected) > 1,
            value,
            expected,
          }).toMatchObject({ wrong: false });
          compared += 1;
        }
      }
      expect(compared).toBe(250);
    }
    expect(present.length).toBeGreaterThan(0);
  });
});

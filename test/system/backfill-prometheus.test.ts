import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BackfillFlags } from '../../src/backfill/command/flags.ts';
import type { TimeRange } from '../../src/domain/interval.ts';
import { runBackfill } from '../backfill/support/run-backfill.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import {
  BackfilledPrometheus,
  extrapolated,
  type QueriedSeries,
} from '../support/backfilled-prometheus.ts';
import { extent } from '../support/extent.ts';
import { LiveScrapes } from '../support/live-scrapes.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import {
  checkStates,
  hourlyResponseTimes,
  transactionStatesTruth,
} from '../support/service-truth.ts';
import { findTool, missing, type ToolName, toolPath } from '../support/tools.ts';
import { VictoriaMetrics } from '../support/victoria-metrics.ts';

const day = 86_400;
const kinds = ['check', 'transaction'] as const;
const states = ['up', 'down', 'unknown', 'unmonitored'] as const;

/**
 * The seconds of an item in each state at a moment: up to first sight, and live, up to its horizon
 * at that moment.
 */
interface Live {
  readonly at: number;
  readonly seconds: Readonly<Record<(typeof states)[number], number>>;
  readonly outages: number;
}

interface History {
  readonly exporter: RestartableExporter;
  /**
   * The live exporter's pages as OpenMetrics with times, as a server that scraped them has them.
   */
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
  // For some items this is more downtime than in their whole past, so that without the explicit 0
  // no server would see a reset.
  for (const { id: checkId } of exporter.sandbox.world.checks) {
    const from = exporter.now + 120;
    exporter.sandbox.world.plant({ checkId, status: 'down', from, to: from + 1_800 });
  }
  const scraped = new LiveScrapes();
  const live = new Map<string, Live[]>();
  const firstSeen = new Map<string, number>();
  for (let scrape = 0; scrape < extent(60, 180); scrape++) {
    const page = await exporter.page();
    const at = exporter.now;
    // The server was set up later.
    if (scrape >= 40) scraped.add(page, at);
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
  const url = `${exporter.url}/-/backfill?from=${from}&response_times=true`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(202);
  for (let turn = 0; ; turn++) {
    if (turn === 1_000) throw new Error('the backfill job did not end');
    const text = await (await fetch(`${exporter.url}/-/backfill`)).text();
    if (text.includes('"state":"done"')) break;
    await exporter.pass(300);
  }
  return { exporter, liveText: scraped.text, live, firstSeen, from };
}

/** The same numbers in every run. */
function seeded(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

/** Random ranges in the past, across first sight, and after it. */
function* rangesOf(history: History, count: number) {
  const { firstSeen } = history;
  const random = seeded();
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

/** The past of an item begins with its creation. */
function beginningOf({ exporter: { sandbox }, from }: History, key: string): number {
  const [kind = '', id = ''] = key.split(' ');
  const created =
    kind === 'check'
      ? sandbox.world.check(Number(id))?.created
      : sandbox.world.transactions.find(Number(id))?.createdAt;
  return Math.max(from, created ?? 0);
}

/** The true counter of an item at the time of a sample, as if there were no reset. */
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

/** DAYS=n and CHECKS=n set other numbers. An import with promtool takes a second for each day. */
const days = Number(process.env.DAYS ?? 60);
const sentDays = Number(process.env.DAYS ?? 365);
const checks = Number(process.env.CHECKS ?? 20);

/** A server with the history of an account and the samples of scrapes. */
interface Filled {
  query(expression: string, atSeconds?: number): Promise<QueriedSeries[]>;
}

interface Server {
  readonly name: string;
  readonly tools: readonly ToolName[];
  readonly fill: (history: History) => Promise<Filled>;
  /** The expected results of its functions. */
  readonly functions: Readonly<Record<string, Expected>>;
}

/** The shown values of a counter with this true value at each sample. */
type Expected = (samples: Samples, range: TimeRange, valuesAt: (at: number) => Values) => number;

/** The true value of a counter since the start of its past, and since its last reset. */
interface Values {
  readonly whole: number;
  readonly shown: number;
}
interface Samples {
  /** Times of samples in the range. */
  readonly first: number;
  readonly second: number;
  readonly last: number;
  readonly count: number;
  /** The last sample in the two hours before. */
  readonly before: number | undefined;
}

const extrapolating =
  (major: 2 | 3): Expected =>
  ({ first, last, count }, range, valuesAt) => {
    const increase = valuesAt(last).whole - valuesAt(first).whole;
    const firstValue = valuesAt(first).shown;
    return extrapolated({ first, last, count, increase, firstValue }, range, major);
  };

/** The lookback for a sample before the range. */
const lookBackSeconds = 300;

/**
 * VictoriaMetrics does not extrapolate: it subtracts the sample before the range. Without such a
 * sample, a counter that is small compared with its first step counts from 0 (rollupDelta in
 * app/vmselect/promql/rollup.go of 1.79); for any other, the first sample is subtracted.
 */
const subtracting: Expected = ({ first, second, last, before }, range, valuesAt) => {
  const end = valuesAt(last).whole;
  if (before !== undefined && range.fromSeconds - before <= lookBackSeconds) {
    return end - valuesAt(before).whole;
  }
  const { whole, shown } = valuesAt(first);
  const step = Math.abs(valuesAt(second).whole - whole);
  return end - whole + (shown < 10 * (step + 1) ? shown : 0);
};

/** So that the fine step begins within the past. */
function commandTime({ from, exporter }: History): number {
  const pastDays = (exporter.now - from) / day;
  return (from + (pastDays < 30 ? 32 : pastDays) * day) * 1_000;
}

async function commandFor({ exporter, from }: History, prometheus: string) {
  const output = join(await temporaryFolder(), 'history');
  return { exporter: exporter.url, from: `${from}`, output, prometheus, responseTimes: true };
}

/** Imports blocks, while another job has live data, all of which must exist after a restart. */
function importing(tool: ToolName, promtoolName: ToolName): Server['fill'] {
  return async (history) => {
    const promtool = findTool(promtoolName) ?? '';
    const server = await BackfilledPrometheus.create(findTool(tool) ?? '');
    await server.importText(promtool, history.liveText);
    await server.start();
    const before = await server.eventually('scrape_samples_scraped{job="other"} > 0');
    const others = await server.query('count_over_time(up{job="other"}[1h])');
    const flags = await commandFor(history, server.url);
    const told = await runBackfill(
      { ...flags, blocks: server.data, promtool },
      { now: commandTime(history) },
    );
    expect(told).not.toContain('Not written');
    expect((await readdir(flags.output)).sort()).toEqual([
      '.lock',
      'backfill.json',
      'items.ndjson',
    ]);
    await server.stop();
    await server.start();
    const [kept] = await server.query('count_over_time(up{job="other"}[1h])');
    expect(kept?.samples[0]?.[1]).toBeGreaterThanOrEqual(others[0]?.samples[0]?.[1] ?? 1);
    expect(before).toHaveLength(1);
    await verified(flags, history);
    return server;
  };
}

async function verified(flags: Partial<BackfillFlags>, history: History): Promise<void> {
  const told = await runBackfill({ ...flags, verify: true }, { now: commandTime(history) });
  expect(told).toContain('The server has what the service reported');
}

async function send(history: History, url: string) {
  const flags = await commandFor(history, url);
  const remoteWrite = `${url}/api/v1/write`;
  const told = await runBackfill({ ...flags, remoteWrite }, { now: commandTime(history) });
  expect(told).not.toContain('Not written');
  return flags;
}

async function receivingPrometheus(history: History): Promise<Filled> {
  const server = await BackfilledPrometheus.receiving(toolPath('prometheus-3'), '5000d');
  await server.importText(toolPath('promtool-3'), history.liveText);
  await server.start();
  const flags = await send(history, server.url);
  // Received samples are in its log.
  await server.stop();
  await server.start();
  await verified(flags, history);
  return server;
}

async function victoriaMetrics(history: History): Promise<Filled> {
  const server = await VictoriaMetrics.start(toolPath('victoria-metrics'));
  await server.importText(history.liveText);
  const flags = await send(history, server.url);
  await server.restart();
  await verified(flags, history);
  return server;
}

const imported: readonly Server[] = [
  {
    name: 'blocks in Prometheus 2',
    tools: ['prometheus', 'promtool'],
    fill: importing('prometheus', 'promtool'),
    functions: { increase: extrapolating(2) },
  },
  {
    name: 'blocks in Prometheus 3',
    tools: ['prometheus-3', 'promtool-3'],
    fill: importing('prometheus-3', 'promtool-3'),
    functions: { increase: extrapolating(3) },
  },
];
const receiving: readonly Server[] = [
  {
    name: 'remote write to VictoriaMetrics',
    tools: ['victoria-metrics'],
    fill: victoriaMetrics,
    functions: {
      increase: subtracting,
      increase_prometheus: ({ first, last }, _, valuesAt) =>
        valuesAt(last).whole - valuesAt(first).whole,
    },
  },
  {
    name: 'remote write to Prometheus 3',
    tools: ['prometheus-3', 'promtool-3'],
    fill: receivingPrometheus,
    functions: { increase: extrapolating(3) },
  },
];

describe('history in a server', () => {
  const whole = [
    ['imported by promtool', { servers: imported, of: days }],
    ['sent by remote write', { servers: receiving, of: sentDays }],
  ] as const;
  const short = [['imported by promtool', { servers: imported, of: 4 }]] as const;
  test.for(extent<readonly (typeof whole)[number][]>(short, whole))(
    'is what the service knows, %s: inside, across the first sight, and after it',
    async ([, { servers, of }], context) => {
      const present = servers.filter(({ tools }) => !tools.some(missing));
      context.skip(present.length === 0);
      const history = await makeHistory(of, extent(6, checks), extent(2, checks / 10));
      for (const server of extent(present.slice(-1), present)) await compare(server, history);
    },
  );
});

async function compare({ name, fill, functions }: Server, history: History): Promise<void> {
  const server = await fill(history);
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
      const [earlier] = await server.query(`${selector}[2h]`, fromSeconds - 0.001);
      expect(more).toEqual([]);
      const times = raw?.samples.map(([at]) => at) ?? [];
      const [first, second, last] = [times[0], times[1], times.at(-1)];
      if (first === undefined || second === undefined || last === undefined) {
        throw new Error(`${key} has no samples in ${fromSeconds} to ${toSeconds}`);
      }
      const valuesAt = (at: number): Values => {
        const { past, counted, isLive } = truthAt(history, key, at);
        const of = (truth: typeof past | Live | undefined) =>
          truth === undefined ? 0 : state === 'outages' ? truth.outages : truth.seconds[state];
        return {
          whole: of(past) + (isLive ? of(counted) : 0),
          shown: isLive ? of(counted) : of(past),
        };
      };
      const before = earlier?.samples.at(-1)?.[0];
      const samples = { first, second, last, count: times.length, before };
      for (const [called, expectedOf] of Object.entries(functions)) {
        const expected = expectedOf(samples, { fromSeconds, toSeconds }, valuesAt);
        const [shown] = await server.query(`${called}(${selector}${range})`, toSeconds);
        const value = shown?.samples[0]?.[1] ?? Number.NaN;
        if (Math.abs(value - expected) <= 1) continue;
        const facts = { name, called, selector, fromSeconds, toSeconds, samples, value, expected };
        throw new Error(`another increase: ${JSON.stringify(facts)}`);
      }
      compared += 1;
    }
  }
  expect(compared).toBe(250);
  await compareResponseTimes(server, history);
}

/**
 * At the end of 50 random hours of the past, the server has the average of that hour, or no sample
 * if no test measured one.
 */
async function compareResponseTimes(server: Filled, history: History): Promise<void> {
  const { exporter, firstSeen } = history;
  const { checks: monitored } = exporter.sandbox.world;
  const random = seeded();
  const hour = 3_600;
  let measured = 0;
  for (let place = 0; place < 50; place++) {
    const { id = 0 } = monitored[Math.floor(random() * monitored.length)] ?? {};
    const begin = Math.ceil(beginningOf(history, `check ${id}`) / hour) + 1;
    const end = Math.floor((firstSeen.get(`check ${id}`) ?? 0) / hour);
    const at = (begin + Math.floor(random() * (end - begin))) * hour;
    const period = { fromSeconds: at - hour, toSeconds: at };
    const milliseconds = hourlyResponseTimes(exporter.sandbox, id, period).get(at - hour);
    const name = 'uptime_check_hourly_average_response_time_seconds';
    const series = await server.query(`${name}{check_id="${id}"}[1s]`, at);
    const expected = milliseconds === undefined ? [] : [[at, milliseconds / 1000]];
    expect({ id, at, samples: series.flatMap(({ samples }) => samples) }).toEqual({
      id,
      at,
      samples: expected,
    });
    if (milliseconds !== undefined) measured += 1;
  }
  expect(measured).toBeGreaterThan(25);
}

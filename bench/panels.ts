import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { filledQuery, panelSchema } from '../test/dashboards/panel-view.ts';
import { PrometheusSource } from '../test/dashboards/prometheus-source.ts';
import { PageWriter } from '../test/dashboards/remote-write.ts';
import { Choices, variableList } from '../test/dashboards/variables.ts';

const checks = Number(process.argv[2] ?? 2000);
const historySeconds = 3600 * Number(process.argv[3] ?? 6);
/** The usual scrape interval of a large page, which is shorter than the lookback of Prometheus. */
const scrapeSeconds = 120;
const daySeconds = 86_400;
/** The width of a panel in pixels, approximately. */
const points = 1000;

const panel = z.looseObject({ type: z.string(), timeFrom: z.string().optional() });
const boardSchema = z.looseObject({
  title: z.string(),
  time: z.object({ from: z.string() }),
  templating: z.object({ list: variableList }),
  panels: z.array(panel.extend({ panels: z.array(panel).optional() })),
});

const folder = await mkdtemp(join(tmpdir(), 'bench-panels-'));
const boards = await readBoards();
const page = await pageOf(checks);
const port = await freePort();
const config = join(folder, 'prometheus.yml');
await writeFile(config, '{}');
const prometheus = spawn(
  'prometheus',
  [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-remote-write-receiver',
    '--query.max-samples=500000000',
  ],
  { stdio: 'ignore' },
);
try {
  await measure();
} finally {
  prometheus.kill('SIGKILL');
  await once(prometheus, 'close');
  await rm(folder, { recursive: true, force: true });
}

/**
 * The CPU time of each panel in a real Prometheus, with the steps of its board's default time
 * range.
 */
async function measure(): Promise<void> {
  await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
  const writer = new PageWriter(`127.0.0.1:${port}`, { job: 'uptime', instance: 'bench:9158' });
  const now = Math.floor(Date.now() / 1000) * 1000;
  for (let age = historySeconds; age >= 0; age -= scrapeSeconds) {
    await writer.write(page, now - age * 1000);
  }
  const source = new PrometheusSource(`127.0.0.1:${port}`);
  const costs: { readonly board: string; readonly panel: string; readonly seconds: number }[] = [];
  for (const board of boards) {
    const range = { from: now - historySeconds * 1000, to: now };
    const choices = await Choices.of(board.templating.list, {}, source, range);
    // Including panels of closed rows.
    for (const json of board.panels.flatMap((one) => one.panels ?? [one])) {
      if (json.type === 'row') continue;
      const read = panelSchema.parse(json);
      // The number of steps is that of the panel's range, but the range is limited to the one with
      // samples.
      const shown = secondsOf(json.timeFrom ?? board.time.from);
      const steps = Math.min(points, shown / secondsOf(read.interval ?? '30s'));
      const stepSeconds = historySeconds / steps;
      const before = await cpuSeconds();
      const reader = { choices, range, scrapeSeconds: 30 };
      const queries = read.targets.map((target) =>
        filledQuery(target, reader, Math.ceil(stepSeconds)),
      );
      await source.frames(queries, { ...range, stepSeconds });
      const seconds = (await cpuSeconds()) - before;
      costs.push({ board: board.title, panel: read.title, seconds });
    }
  }
  costs.sort((a, b) => b.seconds - a.seconds);
  const lines = costs.map(
    ({ board, panel, seconds }) => `| ${board} | ${panel} | ${seconds.toFixed(2)} |`,
  );
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  const title = `${checks} checks, ${historySeconds / 3600} h of samples, ${page.split('\n').length} series`;
  process.stdout.write(`${title}, all panels together ${total.toFixed(1)} CPU s\n\n`);
  process.stdout.write(`| Board | Panel | CPU s |\n| --- | --- | --- |\n${lines.join('\n')}\n`);
}

async function readBoards(): Promise<z.infer<typeof boardSchema>[]> {
  const names = (await readdir('dashboards')).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join('dashboards', name), 'utf8')));
  return texts.map((text) => boardSchema.parse(JSON.parse(text)));
}

/** The lines of a demo's page that dashboards read, after all its budgets are known. */
async function pageOf(count: number): Promise<string> {
  const demoPort = await freePort();
  const demo = spawn(
    process.execPath,
    [
      'dist/main.js',
      'demo',
      `--checks=${count}`,
      `--web.listen-address=127.0.0.1:${demoPort}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  try {
    const read = async () => (await fetch(`http://127.0.0.1:${demoPort}/metrics`)).text();
    await until(async () =>
      (await read()).includes('\nuptime_check_error_budget_remaining_ratio{'),
    );
    await wait(60_000);
    const used = new Set(
      boards.flatMap((board) =>
        [...JSON.stringify(board).matchAll(/\b[a-z]+_\w+(?=\{)/g)].map(String),
      ),
    );
    const lines = (await read()).split('\n');
    return lines.filter((line) => used.has(/^\w+/.exec(line)?.[0] ?? '')).join('\n');
  } finally {
    demo.kill('SIGKILL');
    await once(demo, 'close');
  }
}

/** Reads `now-6h`, `30d`, `30m` or `30s`. */
function secondsOf(span: string): number {
  const [, count, unit] = /^(?:now-)?(\d+)([smhd])$/.exec(span) ?? [];
  if (unit === undefined) throw new Error(`no length of time: ${span}`);
  const lengths: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: daySeconds };
  return Number(count) * (lengths[unit] ?? Number.NaN);
}

async function cpuSeconds(): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  const [, seconds] = (await reply.text()).match(/^process_cpu_seconds_total (\S+)$/m) ?? [];
  return Number(seconds);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (await condition().catch(() => false)) return;
    await wait(500);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
}

// The CPU time that each panel takes in a real Prometheus, over the time that its board shows at
// first:
//   npm run bench:panels -- 2000        # each family as long as a panel looks back for it
//   npm run bench:panels -- 2000 all    # 30 days of every family
// Needs Go, and the prometheus of Debian or that of tools/build.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { filledQuery, panelSchema } from '../test/dashboards/panel-view.ts';
import { PrometheusSource } from '../test/dashboards/prometheus-source.ts';
import { Choices, variableList } from '../test/dashboards/variables.ts';

const checks = Number(process.argv[2] ?? 2000);
const isAll = process.argv[3] === 'all';
const scrapeSeconds = 30;
const daySeconds = 86_400;
const mostSeconds = 30 * daySeconds;
/** The number of points of the widest panel on a screen of 1920 pixels. */
const points = 1500;

const panel = z.looseObject({ type: z.string(), timeFrom: z.string().optional() });
const boardSchema = z.looseObject({
  title: z.string(),
  time: z.object({ from: z.string() }),
  templating: z.object({ list: variableList }),
  panels: z.array(panel.extend({ panels: z.array(panel).optional() })),
});

const writtenSchema = z.object({ series: z.number(), samples: z.number() });
type Written = z.infer<typeof writtenSchema>;

const folder = await mkdtemp(join(tmpdir(), 'bench-panels-'));
const boards = await readBoards();
/** Includes the panels of closed rows. */
const panels = boards.flatMap((board) =>
  board.panels
    .flatMap((one) => one.panels ?? [one])
    .filter(({ type }) => type !== 'row')
    .map((json) => ({ board, json, shown: secondsOf(json.timeFrom ?? board.time.from) })),
);
const families = familiesOf();
try {
  const page = join(folder, 'page.txt');
  await writeFile(page, await pageOf(checks));
  const end = Math.floor(Date.now() / 1000);
  const written = writeBlocks(page, end);
  await measure(end, written);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * The seconds for which each family is read: the range of its panels, or a day for the ranges of
 * their queries.
 */
function familiesOf(): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const { json, shown } of panels) {
    for (const { expr, instant } of panelSchema.parse(json).targets) {
      const isOfNow = instant === true && !expr.includes('$__range');
      const seconds = isAll ? mostSeconds : (isOfNow ? 0 : shown) + daySeconds;
      for (const name of namesIn(expr)) {
        lengths.set(name, Math.min(mostSeconds, Math.max(lengths.get(name) ?? 0, seconds)));
      }
    }
  }
  // Variables are read at one time.
  for (const name of namesIn(JSON.stringify(boards))) {
    lengths.set(name, lengths.get(name) ?? (isAll ? mostSeconds : daySeconds));
  }
  return lengths;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\b[a-z]+_\w+(?=\{)/g)].map(String);
}

/**
 * Writes the samples that Prometheus would have scraped. Returns the number of series and samples.
 */
function writeBlocks(page: string, end: number): Written {
  const program = join(folder, 'panel-blocks');
  const source = join(import.meta.dirname, '../../bench/panel-blocks.go');
  const build = ['build', '-C', join(source, '../../tools/prometheus'), '-o', program, source];
  const lengths = [...families].map(([name, seconds]) => `${name}=${seconds}`);
  const wanted = [page, join(folder, 'data'), `${end}`, `${scrapeSeconds}`, ...lengths];
  for (const [command, ...rest] of [
    ['go', ...build],
    [program, ...wanted],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
    if (command === program) return writtenSchema.parse(JSON.parse(stdout));
  }
  throw new Error('no blocks were written');
}

async function measure(end: number, { series, samples }: Written): Promise<void> {
  const port = await freePort();
  const config = join(folder, 'prometheus.yml');
  await writeFile(config, '{}');
  const built = join(import.meta.dirname, '../../tools/bin/prometheus');
  const prometheus = spawn(
    existsSync(built) ? built : 'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--storage.tsdb.retention.time=40d',
      `--web.listen-address=127.0.0.1:${port}`,
      '--query.max-samples=500000000',
    ],
    { stdio: 'ignore' },
  );
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
    const source = new PrometheusSource(`127.0.0.1:${port}`);
    const costs: { readonly title: string; readonly seconds: number }[] = [];
    for (const { board, json, shown } of panels) {
      const read = panelSchema.parse(json);
      const range = { from: (end - shown) * 1000, to: end * 1000 };
      const choices = await Choices.of(board.templating.list, {}, source, range);
      const stepSeconds = Math.max(
        Math.ceil(shown / points),
        secondsOf(read.interval ?? `${scrapeSeconds}s`),
      );
      const before = await cpuSeconds(port);
      const reader = { choices, range, scrapeSeconds };
      const queries = read.targets.map((target) => filledQuery(target, reader, stepSeconds));
      await source.frames(queries, { ...range, stepSeconds });
      const seconds = (await cpuSeconds(port)) - before;
      costs.push({ title: `${board.title} | ${read.title}`, seconds });
    }
    costs.sort((a, b) => b.seconds - a.seconds);
    const lines = costs.map(({ title, seconds }) => `| ${title} | ${seconds.toFixed(2)} |`);
    const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
    process.stdout.write(
      `${checks} checks, ${series} series, ${Math.round(samples / 1e6)} million samples, all panels together ${total.toFixed(1)} CPU s\n\n`,
    );
    process.stdout.write(`| Board | Panel | CPU s |\n| --- | --- | --- |\n${lines.join('\n')}\n`);
  } finally {
    prometheus.kill('SIGKILL');
    await once(prometheus, 'close');
  }
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
    const lines = (await read()).split('\n');
    const used = lines.filter((line) => families.has(/^\w+/.exec(line)?.[0] ?? ''));
    return `${used.join('\n')}\n`;
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

async function cpuSeconds(port: number): Promise<number> {
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

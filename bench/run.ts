import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureMinutes } from './process/measure-minutes.ts';
import { measureRefresh } from './process/measure-refresh.ts';
import { measureScrapes } from './process/measure-scrapes.ts';
import { measureStart } from './process/measure-start.ts';
import { prepare } from './process/prepare.ts';
import {
  type Figures,
  growthTable,
  markdown,
  rowsOf,
  summaryOf,
  targetTable,
} from './process/report.ts';

/**
 * What the real `serve` costs: the built command in a process of its own, watching a service in another. Prints
 * Markdown and writes bench/results/process.json.
 *
 *   npm run bench -- [--checks=25000,50x500] [--sections=refresh,scrapes,start,minutes] [--runs=3] [--minutes=10]
 *   npm run bench -- --table     at 25,000 checks, with two minutes in place of ten; writes docs/performance.json
 *
 * A profile of the exporter: BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/profile"; another build: BENCH_MAIN.
 */
const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '25000' },
    sections: { type: 'string', default: 'refresh,scrapes,start,minutes' },
    runs: { type: 'string', default: '3' },
    minutes: { type: 'string' },
    table: { type: 'boolean', default: false },
    'no-compare': { type: 'boolean', default: false },
  },
});
const sections = new Set(values.sections.split(','));
const runs = Number(values.runs);
const minutes = Number(values.minutes ?? (values.table ? 2 : 10));
const all: Figures[] = [];
for (const size of values.checks.split(',')) all.push(await measure(size));

const [cpu] = cpus();
const machine = `Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? 'CPU'}`;
const date = new Date().toISOString().slice(0, 10);
const growth = growthTable(all);
mkdirSync('bench/results', { recursive: true });
write('bench/results/process.json', { machine, date, sizes: all });
process.stdout.write(`Measured on ${date} with ${machine}.\n\n${markdown(growth)}\n`);
for (const figures of all) {
  const targets = targetTable(rowsOf(figures));
  process.stdout.write(`\n${markdown(targets)}\n`);
  if (!values.table) continue;
  const summary = summaryOf(figures);
  write('docs/performance.json', { machine, date, summary, targets, parts: growth });
}

function write(file: string, results: object): void {
  writeFileSync(file, `${JSON.stringify(results, rounded, 2)}\n`);
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}

/** `25000`, or `50x500` for fifty accounts of 500 checks. */
async function measure(size: string): Promise<Figures> {
  const [first = 0, second] = size.split('x').map(Number);
  const [accounts, checks] = second === undefined ? [1, first] : [first, second];
  const prepared = await prepare(checks, accounts);
  const step = async <T>(name: string, work: () => Promise<T>): Promise<{ [N in string]: T }> => {
    if (!sections.has(name)) return {};
    try {
      const figures = await work();
      process.stderr.write(`${size} ${name}: ${JSON.stringify(figures, rounded)}\n`);
      return { [name]: figures };
    } catch (error) {
      process.stderr.write(`${size} ${name}: ${error}\n`);
      return {};
    }
  };
  try {
    const compare = !values['no-compare'];
    return {
      checks,
      accounts,
      ...(accounts === 1 && (await step('refresh', () => measureRefresh(prepared, runs)))),
      ...(await step('scrapes', () => measureScrapes(prepared, { runs, compare }))),
      ...(await step('start', () => measureStart(prepared, runs))),
      ...(await step('minutes', () => measureMinutes(prepared, { minutes, scrapers: 2 }))),
    };
  } finally {
    await prepared.end();
  }
}

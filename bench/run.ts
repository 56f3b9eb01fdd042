import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureMinutes } from './process/measure-minutes.ts';
import { measureRefresh } from './process/measure-refresh.ts';
import { measureScrapes } from './process/measure-scrapes.ts';
import { measureStart } from './process/measure-start.ts';
import { prepare } from './process/prepare.ts';
import { type Figures, growthOf, rowsOf, tableOf } from './process/report.ts';

/**
 * What the real `serve` costs: the built command in a process of its own, watching a service in another. Prints
 * Markdown and writes bench/results/process.json.
 *
 *   npm run bench -- [--checks=25000,50x500] [--sections=refresh,scrapes,start,minutes] [--runs=3] [--minutes=10]
 *   npm run bench -- --table     the table of the targets at 25,000 checks, with two minutes in place of ten
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
const results = { machine, date: new Date().toISOString().slice(0, 10), sizes: all };
mkdirSync('bench/results', { recursive: true });
writeFileSync('bench/results/process.json', `${JSON.stringify(results, null, 2)}\n`);
const tables = values.table ? all.map((figures) => tableOf(rowsOf(figures))) : [];
process.stdout.write(`${[`Measured with ${machine}.`, ...tables, growthOf(all)].join('\n\n')}\n`);
for (const { minutes: figures } of all) {
  if (figures !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** `25000`, or `50x500` for fifty accounts of 500 checks. */
async function measure(size: string): Promise<Figures> {
  const [first = 0, second] = size.split('x').map(Number);
  const [accounts, checks] = second === undefined ? [1, first] : [first, second];
  const prepared = await prepare(checks, accounts);
  const step = async <T>(name: string, work: () => Promise<T>): Promise<{ [N in string]: T }> => {
    if (!sections.has(name)) return {};
    process.stderr.write(`${size}: ${name}\n`);
    return { [name]: await work() };
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

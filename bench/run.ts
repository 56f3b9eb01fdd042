import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { largeRequestsPerHour } from './process/limits.ts';
import { measureMemory } from './process/measure-memory.ts';
import { measureMinutes } from './process/measure-minutes.ts';
import { measureRange } from './process/measure-range.ts';
import { measureReference } from './process/measure-reference.ts';
import { measureRefresh } from './process/measure-refresh.ts';
import { measureScrapes } from './process/measure-scrapes.ts';
import { measureStart } from './process/measure-start.ts';
import {
  type Measurement,
  memoryTableOf,
  merged,
  referenceTablesOf,
  tablesOf,
} from './process/measurement.ts';
import { prepare } from './process/prepare.ts';
import { prepareMonths } from './process/prepare-months.ts';
import {
  type Figures,
  growthTable,
  markdown,
  rowsOf,
  targetTable,
  usualShareWithOutages,
} from './process/report.ts';
import { referenceRowsOf, referenceTable } from './process/report-reference.ts';
import { servedMetrics } from './process/serve.ts';

/**
 * The cost of the real `serve`: the built command and a service, each in its own process. Prints
 * Markdown and adds the measurements to those of the same day in bench/results/process.json.
 *
 *   npm run bench -- [--checks=25000,50x500] [--sections=refresh,scrapes,start,minutes,range] [--runs=3] [--minutes=10] [--outages=0.36] [--limit=11600]
 *   npm run bench -- --table     writes bench/measured/targets.json, too
 *   npm run bench -- --checks=20,200,2000,25000 --sections=memory --table     writes bench/measured/memory.json, and the rows of 25,000 with the targets
 *   METRICS=full npm run bench -- --checks=200,2000,25000 --sections=reference --table     writes bench/measured/reference.json
 *
 *   METRICS=full npm run bench -- --checks=200,2000 --sections=reference --limit=400 --table     at the usual limits
 *
 * METRICS=full serves all families. --limit is the number of requests in an hour. --outages is the share of the checks with 79 changes of their state in the store.
 * BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/profile" writes a profile of the exporter.
 * BENCH_MAIN is the path of another build.
 */
const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '25000' },
    sections: { type: 'string', default: 'refresh,scrapes,start,minutes' },
    runs: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    outages: { type: 'string', default: String(usualShareWithOutages) },
    limit: { type: 'string', default: String(largeRequestsPerHour) },
    table: { type: 'boolean', default: false },
  },
});
const resultsFile = 'bench/results/process.json';
const sections = new Set(values.sections.split(','));
const runs = Number(values.runs);
const minutes = Number(values.minutes);
const shareWithOutages = Number(values.outages);
const requestsPerHour = Number(values.limit);
const all: Figures[] = [];
for (const size of values.checks.split(',')) all.push(await measure(size));

const [cpu] = cpus();
const measurement: Measurement = {
  machine: `Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? 'CPU'}`,
  date: new Date().toISOString().slice(0, 10),
  sizes: all,
};
mkdirSync('bench/results', { recursive: true });
const measurements = merged(measuredBefore(), measurement);
write(resultsFile, measurements);
if (values.table) {
  writeMeasured('bench/measured/targets.json', measurements.map(tablesOf));
  writeMeasured('bench/measured/memory.json', measurements.map(memoryTableOf));
  writeMeasured('bench/measured/reference.json', measurements.map(referenceTablesOf));
}
const { machine, date } = measurement;
process.stdout.write(`Measured on ${date} with ${machine}.\n\n${markdown(growthTable(all))}\n`);
for (const figures of all) {
  const rows = [...rowsOf(figures), ...referenceRowsOf(figures)];
  process.stdout.write(`\n${markdown(targetTable(rows))}\n`);
}
process.stdout.write(`\n${markdown(referenceTable(all))}\n`);

function measuredBefore(): Measurement[] {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : [];
}

/** A part that was not measured keeps its file and its date. */
function writeMeasured(file: string, tables: readonly (object | undefined)[]): void {
  const measured = tables.filter((table) => table !== undefined);
  if (measured.length > 0) write(file, measured);
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
  const what = { checks, accounts, metrics: servedMetrics, shareWithOutages, requestsPerHour };
  const memory = await step('memory', () => measureMemory(checks, runs));
  // The memory section needs no prepared store, which would take a while to write.
  if ([...sections].every((section) => section === 'memory')) return { ...what, ...memory };
  const prepared = await prepare(checks, accounts, shareWithOutages, requestsPerHour);
  try {
    return {
      ...what,
      ...memory,
      ...(await step('refresh', () => measureRefresh(prepared, runs))),
      ...(await step('scrapes', () => measureScrapes(prepared, runs))),
      ...(await step('start', () => measureStart(prepared, runs))),
      ...(await step('minutes', () => measureMinutes(prepared, { minutes, scrapers: 2 }))),
      ...(await step('reference', () => measureReference(prepared, runs))),
      ...(await step('range', async () => {
        return await measureRange(prepared, await prepareMonths(prepared.folder), runs);
      })),
    };
  } finally {
    await prepared.end();
  }
}

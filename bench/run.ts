import { mkdirSync, writeFileSync } from 'node:fs';
import { measureGrowth } from './page/measure-growth.ts';
import { measurePage } from './page/measure-page.ts';
import { tables } from './page/tables.ts';
import { targetsOf } from './page/targets.ts';

/**
 * What the page of a large account costs, against the targets. Prints tables and writes JSON.
 *
 * Usage: node run.js [checks]
 */
const checks = Number(process.argv[2] ?? 25_000);
const page = await measurePage(checks);
const growth = [];
for (const size of [0.01, 0.1, 1, 2]) growth.push(await measureGrowth(checks * size));
const results = { node: process.version, page, growth, targets: targetsOf(page) };
process.stdout.write(`${tables(results)}\n`);
const json = `${JSON.stringify(results, rounded, 2)}\n`;
mkdirSync('bench/results', { recursive: true });
for (const file of ['bench/results/page.json', 'docs/performance.json']) writeFileSync(file, json);

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Measurement } from './measure.ts';

/** Prints measurements as a table and writes them, with what they were made on, as JSON. */
export function report(
  path: string,
  subject: Readonly<Record<string, string | number>>,
  measurements: readonly Measurement[],
): void {
  const width = Math.max(...measurements.map(({ what }) => what.length));
  const lines = [
    Object.entries({ node: process.version, ...subject })
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    `${'what'.padEnd(width)}${cells(['CPU ms', 'wall ms', 'longest block ms', 'bytes'])}`,
    ...measurements.map(
      (row) =>
        row.what.padEnd(width) +
        cells([
          row.cpuMilliseconds.toFixed(2),
          row.wallMilliseconds.toFixed(2),
          row.longestBlockMilliseconds.toFixed(1),
          String(row.bytes),
        ]),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  mkdirSync(dirname(path), { recursive: true });
  const result = { node: process.version, ...subject, measurements };
  writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
}

function cells(texts: readonly string[]): string {
  return texts.map((text) => text.padStart(18)).join('');
}

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createGunzip, gzipSync } from 'node:zlib';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Serves the families and series of a page with prom-client, like an exporter that registers its
 * metrics there. Usage: prom-client-server.js PAGE.gz
 */
const registry = new Registry();
await fill(process.argv[2] ?? '');
const server = createServer(async (_request, response) => {
  const text = await registry.metrics();
  response.writeHead(200, { 'Content-Type': registry.contentType, 'Content-Encoding': 'gzip' });
  response.end(gzipSync(text, { level: 1 }));
}).listen(0, '127.0.0.1');

await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
process.channel?.unref();

type Labels = Record<string, string>;

/** Reads the page line by line: as one plain text it is too long for a string. */
async function fill(path: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
  const help = new Map<string, string>();
  let family: { readonly type: string; readonly name: string } | undefined;
  let add: ((line: Sample) => void) | undefined;
  for await (const line of lines) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') help.set(name, rest);
    else if (keyword === 'TYPE') {
      family = { name, type: rest };
      add = undefined;
    } else if (family !== undefined && !family.name.startsWith('nodejs_')) {
      const sample = sampleOf(line);
      const { name, type } = family;
      add ??= metric(name, type, help.get(name) ?? '', Object.keys(sample.labels));
      add(sample);
    }
  }
}

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

function sampleOf(line: string): Sample {
  const [, name = '', labelText = '', value = ''] =
    /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const labels: Labels = {};
  for (const [, label = '', text = ''] of labelText.matchAll(/([^,=]+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[label] = text;
  }
  return { name, labels, value: Number(value) };
}

/** Returns a function that adds the samples of a family. */
function metric(name: string, type: string, help: string, labels: string[]) {
  const configuration = { name, help, registers: [registry] };
  const labelNames = labels.filter((label) => label !== 'le');
  if (type === 'histogram') return histogram(name, help, labelNames);
  if (type === 'counter') {
    const counter = new Counter({ ...configuration, labelNames });
    return (sample: Sample) => counter.inc(sample.labels, sample.value);
  }
  const gauge = new Gauge({ ...configuration, labelNames });
  return (sample: Sample) => gauge.set(sample.labels, sample.value);
}

/** One observation in each bucket: the number of lines is the same, but not the values. */
function histogram(name: string, help: string, labelNames: readonly string[]) {
  const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
  const histogram = new Histogram({ name, help, labelNames, buckets, registers: [registry] });
  return (sample: Sample) => {
    const { le, ...labels } = sample.labels;
    if (le !== undefined) histogram.observe(labels, le === '+Inf' ? 100 : Number(le));
  };
}

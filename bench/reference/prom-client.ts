import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Registry } from 'prom-client';
import { CheckMetrics, type ListedCheck } from './check-metrics.ts';
import { loadPage } from './load-page.ts';

/**
 * An exporter as an engineer writes it in a day with prom-client. It reads the check list once a
 * minute, sets a gauge for each value, and lets the library render them at each scrape. Counters
 * and histograms come from a file. Usage: prom-client.js SERVICE-URL PAGE.gz; prints its port.
 */
// Nothing that is measured outlives the bench.
process.stdin.resume().once('end', () => process.exit());
const [service = '', pageFile = ''] = process.argv.slice(2);
const compress = promisify(gzip);
const registry = new Registry();
const checks = new CheckMetrics(registry);
await loadPage(pageFile, registry, (family) => checks.names.has(family));
await refresh();
setInterval(() => void refresh().catch(console.error), 60_000);

const server = createServer(async (_request, response) => {
  const text = await registry.metrics();
  const body = await compress(text, { level: constants.Z_BEST_SPEED });
  response.writeHead(200, { 'Content-Type': registry.contentType, 'Content-Encoding': 'gzip' });
  response.end(body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);

async function refresh(): Promise<void> {
  const query = 'limit=25000&offset=0&include_tags=true&include_severity=true';
  const response = await fetch(`${service}/api/3.1/checks?${query}`, {
    headers: { Authorization: 'Bearer token-of-the-bench' },
  });
  if (!response.ok) throw new Error(`the service responds ${response.status}`);
  const { checks: listed } = (await response.json()) as { readonly checks: ListedCheck[] };
  checks.update(listed);
}

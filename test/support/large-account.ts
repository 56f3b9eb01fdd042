import { execFileSync } from 'node:child_process';
import { request } from 'undici';
import { expect } from 'vitest';
import { startServingSandbox } from './exporter-command.ts';
import { parseExposition } from './openmetrics-parser.ts';
import { startPrometheus } from './prometheus.ts';
import { toolPath } from './tools.ts';

/** A real Prometheus scrapes the whole page of an account with this many checks. */
export async function expectScrapedWhole(checks: number, scrapeInterval: string): Promise<void> {
  const limits = ['--short-limit=11600', '--long-limit=2088000'];
  const exporter = await startServingSandbox([`--checks=${checks}`, ...limits]);
  const prometheus = await startPrometheus(new URL(exporter.url).host, { scrapeInterval });

  // Prometheus takes most of a minute to create the series of 25,000 checks, and longer on a busy
  // machine.
  await prometheus.eventually(`count(uptime_check_info) == ${checks}`);
  expect(await prometheus.query('up{job="uptime"} == 1')).toHaveLength(1);
  // In one query, so that all samples are of the same scrape.
  const own = 'count({__name__=~"uptime_exporter_.*|process_.*|nodejs_.*"})';
  const [others] = await prometheus.query(
    `scrape_samples_scraped{job="uptime"} - scalar(${own}) - scalar(uptime_exporter_series)`,
  );
  expect(others?.value).toBe(0);
  const [shown] = await prometheus.query('uptime_exporter_series');
  expect(shown?.value).toBeGreaterThan(20 * checks);

  const text = await read(`${exporter.url}/metrics`, 'text/plain');
  const promtool = ['check', 'metrics'];
  const complaints = execFileSync(toolPath('promtool'), promtool, { input: text });
  expect(complaints.toString()).toBe('');

  const part = await read(
    `${exporter.url}/metrics?dataset[]=exporter`,
    'application/openmetrics-text; version=1.0.0',
  );
  expect(parseExposition(part, 'openmetrics').map(({ name }) => name)).toContain('uptime_up');
  const openMetrics = await read(
    `${exporter.url}/metrics?dataset[]=checks`,
    'application/openmetrics-text; version=1.0.0',
  );
  const info = parseExposition(openMetrics, 'openmetrics').find(
    ({ name }) => name === 'uptime_check_info',
  );
  expect(info?.samples).toHaveLength(checks);
}

async function read(url: string, accept: string): Promise<string> {
  const { body, statusCode } = await request(url, { headers: { accept } });
  expect(statusCode).toBe(200);
  return body.text();
}

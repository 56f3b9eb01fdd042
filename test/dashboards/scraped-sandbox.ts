import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { sandboxAccount } from '../support/sandbox-exporter.ts';
import { type ToolName, toolPath } from '../support/tools.ts';
import {
  startWatchedSandbox,
  type WatchedSandbox,
  type WatchedSandboxOptions,
} from '../support/watched-sandbox.ts';
import type { Scrapes } from './opened-board.ts';
import { PrometheusSource } from './prometheus-source.ts';
import { PageWriter, type TargetLabels } from './remote-write.ts';

export const scrapeSeconds = 30;
/**
 * In milliseconds. Boards are opened this long after the last scrape, because a range query ends
 * at a multiple of its step.
 */
const lookedAfter = 25_000;

/**
 * The alerts of the rules: Prometheus cannot evaluate rules in virtual time. Unordered; one does
 * not fire yet.
 */
const alertSeries = [
  'ALERTS{alertname="UptimeExporterGone",alertstate="firing",severity="critical",job="uptime"} 1',
  'ALERTS{alertname="UptimeExporterDown",alertstate="firing",severity="critical",job="uptime",instance="b:9158"} 1',
  'ALERTS{alertname="UptimeExporterDown",alertstate="firing",severity="critical",job="uptime",instance="a:9158"} 1',
  'ALERTS{alertname="UptimeContactsPaused",alertstate="firing",severity="info",account="shop"} 1',
  'ALERTS{alertname="UptimeCheckDown",alertstate="firing",severity="critical",account="shop",check_id="77",name="Say \\"hi\\"",job="uptime",instance="exporter:9158"} 1',
  'ALERTS{alertname="UptimeCheckSlow",alertstate="firing",severity="warning",account="shop",name="Shop"} 1',
  'ALERTS{alertname="UptimeCheckSlow",alertstate="pending",severity="critical",account="shop",name="Shop"} 1',
];
/** The firing alerts as they are shown, the most urgent first. */
export const firingAlerts = [
  ['UptimeCheckDown', 'critical', 'Say "hi"', 'shop', 'exporter:9158'],
  ['UptimeExporterDown', 'critical', '–', '–', 'a:9158'],
  ['UptimeExporterDown', 'critical', '–', '–', 'b:9158'],
  ['UptimeExporterGone', 'critical', '–', '–', '–'],
  ['UptimeCheckSlow', 'warning', 'Shop', 'shop', '–'],
  ['UptimeContactsPaused', 'info', '–', 'shop', '–'],
] as const;

export interface ScrapedSandbox extends WatchedSandbox {
  readonly source: PrometheusSource;
  /** The boards do not have what the service responded after the last scrape. */
  scrapes(): Scrapes;
  /**
   * Advances by this many seconds, which are whole minutes. Prometheus scrapes at this interval.
   */
  live(seconds: number, everySeconds?: number): Promise<void>;
  /** The same while the exporter does not respond: scrapes fail. */
  die(seconds: number): Promise<void>;
  /** The same after the account was removed from the configuration. */
  removed(seconds: number): Promise<void>;
}

export interface ScrapedSandboxOptions extends WatchedSandboxOptions {
  readonly server?: Extract<ToolName, 'prometheus' | 'prometheus-3'>;
  /** The address of a Prometheus that has other accounts, too. */
  readonly shared?: string;
  readonly account?: string;
  /** Families in addition to those of `metrics: lean`. */
  readonly include?: readonly string[];
  /** Replicas that serve the same page, by their labels. */
  readonly targets?: readonly TargetLabels[];
}

/** After this time, reports of the time before first sight can lag no longer. */
const pastMilliseconds = 36 * 60_000;

/**
 * A sandbox and the exporter in virtual time, and a real Prometheus that receives their page as a
 * scrape at the virtual time would bring it, with `metrics: lean`. All checks form the group "shop". The account "shop" has
 * the alerts.
 */
export async function startScrapedSandbox({
  server = 'prometheus',
  shared,
  account = 'shop',
  include = [],
  targets = [{ job: 'uptime', instance: `${account}:9158` }],
  ...options
}: ScrapedSandboxOptions = {}): Promise<ScrapedSandbox> {
  const address = shared ?? (await startReceiver(server));
  const watched = await startWatchedSandbox({
    startMilliseconds: Date.UTC(2026, 0, 5, 12) - pastMilliseconds,
    configuration: (url) => ({
      accounts: [sandboxAccount({ url }, { name: account })],
      served: new ServedFamilies({ mode: 'lean', include }),
      slo: sloPolicyOf({}, { named: [{ name: 'shop', names: ['*'] }] }),
    }),
    ...options,
  });
  const writers = targets.map((target) => new PageWriter(address, target));
  const scrapes: number[] = [];
  const rules = new PageWriter(address, {});
  const scrape = async (read: () => Promise<string>) => {
    const at = watched.clock.now();
    scrapes.push(at);
    const page = await read();
    for (const writer of writers) await writer.write(page, at);
    if (account === 'shop') await rules.write(`${alertSeries.join('\n')}\n`, at);
  };
  const pass = async (seconds: number, everySeconds: number, read: () => Promise<string>) => {
    for (let left = seconds; left > 0; left -= everySeconds) {
      await watched.pass(everySeconds * 1000 - lookedAfter);
      await scrape(read);
      await watched.pass(lookedAfter);
    }
  };
  const live = (seconds: number, everySeconds = scrapeSeconds) =>
    pass(seconds, everySeconds, async () => `${await watched.page()}up 1\n`);
  const die = (seconds: number) => pass(seconds, scrapeSeconds, async () => 'up 0\n');
  const removed = (seconds: number) =>
    pass(seconds, scrapeSeconds, async () => {
      const lines = (await watched.page()).split('\n');
      const others = lines.filter((line) => !line.includes(`account="${account}"`));
      return `${others.join('\n')}uptime_exporter_account_removed{account="${account}"} 1\nup 1\n`;
    });
  // Lists are read on the minute, pages are scraped ten seconds later, and boards are opened half a
  // minute later.
  await watched.pass(pastMilliseconds + 35_000);
  return {
    ...watched,
    source: new PrometheusSource(address),
    scrapes: () => ({ first: scrapes[0] ?? 0, last: scrapes.at(-1) ?? 0 }),
    live,
    die,
    removed,
  };
}

/** The UNIX time of the request for the last list whose response arrived before the last scrape. */
export function answeredAt({ sandbox, scrapes }: ScrapedSandbox, operation: string): number {
  const last = sandbox.journal.recent.findLast(
    ({ operation: asked, status, time }) =>
      asked === operation && status === 200 && time <= scrapes().last,
  );
  return Math.floor((last?.time ?? 0) / 1000);
}

/** A Prometheus without targets that accepts remote writes. */
export async function startReceiver(
  tool: Extract<ToolName, 'prometheus' | 'prometheus-3'>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'prometheus.yml');
  await writeFile(config, '{}');
  const address = `127.0.0.1:${await freePort()}`;
  const child = startChild(toolPath(tool), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--web.enable-remote-write-receiver',
  ]);
  await child.until(/Server is ready to receive web requests/);
  return address;
}

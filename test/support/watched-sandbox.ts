import { request } from 'undici';
import { onTestFinished } from 'vitest';
import type { RunningSandbox } from '../../sandbox/src/running-sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import type { ExporterOptions } from '../../src/app/exporter.ts';
import { Secret } from '../../src/lib/secret.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { MemoryDispatcher } from './memory-http.ts';
import { CountedClient, PendingWork } from './pending-work.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxToken,
  startVirtualSandbox,
} from './sandbox-exporter.ts';
import { VirtualClock } from './virtual-clock.ts';

const inFlight = 'uptime_exporter_api_requests_in_flight{account="shop"}';
/** Shorter than any deadline of a request. */
const longestStepMilliseconds = 10_000;

export interface WatchedSandbox {
  readonly sandbox: RunningSandbox;
  readonly clock: VirtualClock;
  readonly url: string;
  /** Advances the clock; requests get their responses meanwhile. */
  pass(milliseconds: number): Promise<void>;
  /**
   * Advances by seconds until the page meets the condition and no request is in flight. Resolves
   * with the page.
   */
  settled(condition: (page: string) => boolean): Promise<string>;
  /** The log so far. */
  log(): string;
  /** The page in the text format, once it meets the condition. */
  page(condition?: (page: string) => boolean): Promise<string>;
}

export interface WatchedSandboxOptions {
  readonly token?: string;
  readonly shortLimit?: number;
  readonly longLimit?: number;
  readonly checks?: number;
  readonly transactions?: number;
  readonly seed?: number;
  readonly store?: Store;
  /** UNIX milliseconds. */
  readonly startMilliseconds?: number;
  /** Every change is shown at once by default. */
  readonly batchIntervalMilliseconds?: number;
  readonly quirks?: NonNullable<SandboxOptions['quirks']>;
  /** Other accounts, labels and families than the default ones. */
  readonly configuration?: (
    url: string,
  ) => Pick<ExporterOptions, 'accounts' | 'labels' | 'served' | 'flapping'>;
}

/** The whole exporter in this process, joined with a sandbox in memory, in virtual time. */
export async function startWatchedSandbox({
  token = sandboxToken,
  configuration,
  store = new MemoryStore(),
  batchIntervalMilliseconds = 0,
  startMilliseconds,
  ...limits
}: WatchedSandboxOptions = {}): Promise<WatchedSandbox> {
  const work = new PendingWork();
  const clock = new VirtualClock(startMilliseconds, () => work.quiet());
  const running = await startVirtualSandbox(clock, limits, work.handingOver(clock));
  const service = new MemoryDispatcher(running.app);
  const close = async () => {
    service.disconnect();
    await running.close();
  };
  const sandbox = { ...running, close };
  const lines: string[] = [];
  const byDefault = sandboxAccount(sandbox, { authentication: bearerToken(new Secret(token)) });
  const settings = configuration?.(sandbox.url) ?? { accounts: [byDefault] };
  const exporter = createSandboxExporter({
    ...settings,
    store,
    clock,
    batchIntervalMilliseconds,
    newClient: (client) => new CountedClient({ ...client, dispatcher: service }, work),
    write: (line) => lines.push(line),
  });
  const url = await exporter.start();
  onTestFinished(async () => {
    await exporter.stop();
    await sandbox.close();
  });
  const page = async (condition: (page: string) => boolean = () => true) => {
    for (;;) {
      const { body } = await request(`${url}/metrics`);
      const text = await body.text();
      if (condition(text)) return text;
    }
  };
  const settled = async (condition: (page: string) => boolean) => {
    for (;;) {
      await work.quiet();
      const text = await page();
      if (condition(text) && sampleValue(text, inFlight) === 0) return text;
      const next = (clock.earliestWake ?? 0) - clock.monotonic();
      await clock.advance(Math.min(Math.max(1_000, next), longestStepMilliseconds));
    }
  };
  const pass = (milliseconds: number) => clock.advance(milliseconds);
  return { sandbox, clock, url, pass, settled, log: () => lines.join(''), page };
}

/** The value of the only sample with this prefix; undefined if the page has none. */
export function sampleValue(page: string, sample: string): number | undefined {
  // The first sample follows the type of its family.
  const line = page.indexOf(`\n${sample} `);
  if (line === -1) return undefined;
  const value = line + sample.length + 2;
  return Number(page.slice(value, page.indexOf('\n', value)));
}

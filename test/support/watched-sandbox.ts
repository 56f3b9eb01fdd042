import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { bearerToken } from '../../src/api/http/authentication.ts';
import type { ExporterOptions } from '../../src/app/exporter.ts';
import { Secret } from '../../src/lib/secret.ts';
import type { RunningSandbox } from '../../src/sandbox/running-sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxToken,
  startVirtualSandbox,
} from './sandbox-exporter.ts';
import { untilQuiet } from './until-quiet.ts';
import { VirtualClock } from './virtual-clock.ts';

const inFlight = 'uptime_exporter_api_requests_in_flight{account="shop"}';
/** Shorter than any deadline of a request. */
const longestStepMilliseconds = 10_000;

export interface WatchedSandbox {
  readonly sandbox: RunningSandbox;
  readonly clock: VirtualClock;
  readonly url: string;
  /** Advances by this many seconds in small steps. Requests get their responses in each step. */
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
  readonly store?: Store;
  /** Every change is shown at once by default. */
  readonly batchIntervalMilliseconds?: number;
  readonly quirks?: NonNullable<SandboxOptions['quirks']>;
  /** Other accounts and labels than the default ones. */
  readonly configuration?: (
    url: string,
  ) => Pick<ExporterOptions, 'accounts' | 'labels' | 'flapping'>;
}

/** The whole exporter in this process, with a sandbox over a real connection, in virtual time. */
export async function startWatchedSandbox({
  token = sandboxToken,
  configuration,
  store = new MemoryStore(),
  batchIntervalMilliseconds = 0,
  ...limits
}: WatchedSandboxOptions = {}): Promise<WatchedSandbox> {
  const clock = new VirtualClock();
  const sandbox = await startVirtualSandbox(clock, limits);
  const lines: string[] = [];
  const byDefault = sandboxAccount(sandbox, { authentication: bearerToken(new Secret(token)) });
  const settings = configuration?.(sandbox.url) ?? { accounts: [byDefault] };
  const exporter = createSandboxExporter({
    ...settings,
    store,
    clock,
    batchIntervalMilliseconds,
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
  const pollers = settings.accounts.length;
  /** If changes are batched, showing them sleeps, too, and storing them for each account. */
  const loops = batchIntervalMilliseconds > 0 ? 1 + 2 * pollers : pollers;
  const allResponded = () => untilQuiet({ clock, loops });
  /**
   * Completes requests in flight and all that follow from their responses, without advancing the
   * clock.
   */
  const untilNoRequestFollows = async () => {
    let asked: number;
    do {
      await allResponded();
      asked = sandbox.journal.total;
      await clock.advance(0);
      await allResponded();
    } while (sandbox.journal.total > asked);
  };
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= longestStepMilliseconds) {
      await clock.advance(Math.min(left, longestStepMilliseconds));
      await untilNoRequestFollows();
    }
  };
  const settled = async (condition: (page: string) => boolean) => {
    for (;;) {
      // A request in flight would time out while seconds pass.
      await untilNoRequestFollows();
      const text = await page();
      if (condition(text) && sampleValue(text, inFlight) === 0) return text;
      const next = (clock.earliestWake ?? 0) - clock.monotonic();
      await clock.advance(Math.min(Math.max(1_000, next), longestStepMilliseconds));
    }
  };
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

import type { JournalEntry } from '../../sandbox/src/server/request-journal.ts';
import { sandboxToken } from '../support/sandbox-exporter.ts';
import {
  sampleValue,
  startWatchedSandbox,
  type WatchedSandbox,
  type WatchedSandboxOptions,
} from '../support/watched-sandbox.ts';
import { read } from './support.ts';

export const minute = 60_000;

/** Datasets that would be refreshed before the one that a test waits for. */
export const switchedOff = ['results', 'performance', 'average', 'detail', 'outages', 'analyses']
  .map((name) => `${name}: { enabled: false }`)
  .join(', ');

/** The exporter with one account that is configured by a file with these lines, and all families. */
export function watch(
  lines: string,
  options: WatchedSandboxOptions & { readonly global?: string; readonly metrics?: string } = {},
): Promise<WatchedSandbox> {
  const { global = '', metrics = 'full', ...others } = options;
  return startWatchedSandbox({
    checks: 6,
    batchIntervalMilliseconds: minute,
    ...others,
    configuration: (url) => {
      const account = ['name: shop', `base_url: ${url}`, `token: ${sandboxToken}`, ...split(lines)];
      const entry = account.map((line) => `    ${line}\n`).join('');
      return read(`metrics: ${metrics}\n${global}\naccounts:\n  -\n${entry}`);
    },
  });
}

function split(lines: string): string[] {
  return lines.trim().split('\n');
}

export function ready(watched: WatchedSandbox): Promise<string> {
  return watched.settled((text) => sampleValue(text, 'uptime_up{account="shop"}') === 1);
}

export function requests(watched: WatchedSandbox, operation: string): JournalEntry[] {
  return watched.sandbox.journal.recent.filter((entry) => entry.operation === operation);
}

/** Advances by minutes until the service has received the request. */
export async function untilAsked(
  watched: WatchedSandbox,
  wanted: (entry: JournalEntry) => boolean,
): Promise<void> {
  while (!watched.sandbox.journal.recent.some(wanted)) await watched.pass(minute);
}

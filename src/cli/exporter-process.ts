import { systemClock } from '../lib/clock.ts';
import { createLog, type Log } from '../lib/log.ts';
import { Scrubber } from '../lib/secret.ts';
import type { Store } from '../store/store.ts';
import type { AccountSettings } from './environment.ts';
import { Exporter } from './exporter.ts';
import type { ServingFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';

/** The log of the process. It goes to standard error, as that of the Prometheus tools. */
export function processLog(
  terminal: Terminal,
  flags: Pick<ServingFlags, 'logLevel' | 'logFormat'>,
  scrubber: Scrubber,
): Log {
  return createLog({
    level: flags.logLevel,
    format: flags.logFormat,
    clock: systemClock,
    scrubber,
    destination: terminal.stderr,
  });
}

export interface ProcessOptions {
  readonly flags: ServingFlags;
  readonly accounts: readonly AccountSettings[];
  readonly store: Store;
  readonly log: Log;
  readonly scrubber: Scrubber;
}

/** The exporter as the process runs it. */
export function exporterProcess({ flags, ...options }: ProcessOptions): Exporter {
  return new Exporter({
    ...options,
    listenAddress: flags.listenAddress,
    telemetryPath: flags.telemetryPath,
    maxRequests: flags.maxRequests,
    version: packageVersion(),
    clock: systemClock,
    random: Math.random,
  });
}

export function scrubberOf(accounts: readonly AccountSettings[]): Scrubber {
  return new Scrubber(accounts.flatMap(({ authentication }) => authentication.secrets));
}

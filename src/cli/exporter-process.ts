import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { Scrubber } from '../lib/secret.ts';
import type { AccountSettings } from './environment.ts';
import { Exporter } from './exporter.ts';
import type { ServingFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';

/** The exporter as the process runs it, and its log, which goes to standard error as that of the Prometheus tools. */
export function exporterProcess(
  terminal: Terminal,
  flags: ServingFlags,
  accounts: readonly AccountSettings[],
) {
  const scrubber = new Scrubber(accounts.map(({ token }) => token));
  const log = createLog({
    level: flags.logLevel,
    format: flags.logFormat,
    clock: systemClock,
    scrubber,
    destination: terminal.stderr,
  });
  const exporter = new Exporter({
    accounts,
    listenAddress: flags.listenAddress,
    telemetryPath: flags.telemetryPath,
    maxRequests: flags.maxRequests,
    version: packageVersion(),
    clock: systemClock,
    random: Math.random,
    log,
    scrubber,
  });
  return { exporter, log };
}

import { proxySecrets } from '../api/connecting.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import type { Serving } from '../config/serving.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import type { WebSecurity } from '../http/web-config/web-security.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog, type Log } from '../lib/log.ts';
import { Scrubber, type Secret } from '../lib/secret.ts';
import type { Store } from '../store/store.ts';
import { type ChangingConfiguration, Exporter } from './exporter.ts';
import type { Terminal } from './terminal.ts';
import type { Build } from './version.ts';

/** The log of the process. It goes to standard error, as that of the Prometheus tools. */
export function processLog(
  terminal: Terminal,
  { logLevel, logFormat }: Pick<Serving, 'logLevel' | 'logFormat'>,
  scrubber: Scrubber,
): Log {
  return createLog({
    level: logLevel,
    format: logFormat,
    clock: systemClock,
    scrubber,
    destination: terminal.stderr,
  });
}

export interface ProcessOptions {
  readonly build: Build;
  readonly serving: Serving;
  readonly accounts: readonly AccountSettings[];
  readonly labels?: LabelPolicy;
  readonly store: Store;
  readonly security?: WebSecurity;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly configuration?: ChangingConfiguration;
}

/** The exporter as the process runs it. */
export function exporterProcess({ serving, ...options }: ProcessOptions): Exporter {
  const { listenAddress, telemetryPath, maxRequests } = serving;
  return new Exporter({
    ...options,
    listenAddress,
    telemetryPath,
    maxRequests,
    clock: systemClock,
    random: Math.random,
  });
}

export function scrubberOf(accounts: readonly AccountSettings[]): Scrubber {
  return new Scrubber(secretsOf(accounts));
}

export function secretsOf(accounts: readonly AccountSettings[]): readonly Secret[] {
  return accounts.flatMap((account) => [
    ...account.authentication.secrets,
    ...proxySecrets(account),
  ]);
}

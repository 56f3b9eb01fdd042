import { type RunningSandbox, startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { sandboxOptions as ownOptions, type SandboxOptions } from '../../sandbox/src/sandbox.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { Exporter, type ExporterOptions } from '../../src/app/exporter.ts';
import { scrubberOf } from '../../src/app/logging.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { Secret } from '../../src/lib/secret.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const sandboxToken = 'sandbox-token-1234567890';

/**
 * The options of a sandbox among those of a test. By default its budget is too large to be exhausted.
 */
export function sandboxOptions(options: Partial<SandboxOptions>) {
  const names = new Set(Object.keys(ownOptions.shape));
  const own = Object.entries(options).filter(([name]) => names.has(name));
  const given: Partial<SandboxOptions> = Object.fromEntries(own);
  return { shortLimit: 100_000, longLimit: 18_000_000, token: sandboxToken, ...given };
}

/** A sandbox in this process and in virtual time. */
export function startVirtualSandbox(
  clock: VirtualClock,
  options: Partial<SandboxOptions>,
  limitsClock: Clock = clock,
): Promise<RunningSandbox> {
  return startSandbox({
    ...sandboxOptions(options),
    clock,
    limitsClock,
    host: '127.0.0.1',
    port: 0,
  });
}

/** The account of a sandbox; by default in version 3.1. */
export function sandboxAccount(
  { url }: Pick<RunningSandbox, 'url'>,
  account: Partial<AccountSettings> = {},
): AccountSettings {
  const authentication = bearerToken(new Secret(sandboxToken));
  return { name: 'shop', baseUrl: url, version: '3.1', authentication, ...account };
}

interface SandboxExporterOptions
  extends Pick<
    ExporterOptions,
    | 'accounts'
    | 'changedAtSeconds'
    | 'labels'
    | 'served'
    | 'slo'
    | 'flapping'
    | 'store'
    | 'sharing'
    | 'configuration'
    | 'clock'
    | 'batchIntervalMilliseconds'
    | 'newClient'
    | 'listen'
    | 'listenOn'
  > {
  /** Receives every logged line. */
  readonly write: (line: string) => void;
}

/**
 * The whole exporter in this process, on a free port after its start. By default it serves every
 * family, and shows every change at once.
 */
export function createSandboxExporter({ write, ...options }: SandboxExporterOptions): Exporter {
  const { accounts, clock } = options;
  const scrubber = scrubberOf(accounts);
  return new Exporter({
    batchIntervalMilliseconds: 0,
    listenOn: ['127.0.0.1:0'],
    served: ServedFamilies.full,
    ...options,
    build: { version: '0.0.0' },
    random: () => 0.5,
    scrubber,
    log: createLog({ level: 'debug', format: 'logfmt', clock, scrubber, destination: { write } }),
  });
}

import { proxySecrets } from '../api/http/proxy-secrets.ts';
import type { AccountSettings } from '../config/account.ts';
import type { Serving } from '../config/serving.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog, type Log } from '../lib/log.ts';
import { isShort, Scrubber, type Secret } from '../lib/secret.ts';
import { pathSecret } from '../lib/shown-address.ts';

interface LogDestination {
  readonly stderr: { write(text: string): unknown };
}

/** Creates the log of the process. It goes to standard error, as in the Prometheus tools. */
export function createProcessLog(
  { stderr }: LogDestination,
  { logLevel, logFormat }: Pick<Serving, 'logLevel' | 'logFormat'>,
  scrubber: Scrubber,
): Log {
  return createLog({
    level: logLevel,
    format: logFormat,
    clock: systemClock,
    scrubber,
    destination: stderr,
  });
}

export function scrubberOf(accounts: readonly AccountSettings[]): Scrubber {
  return new Scrubber(secretsOf(accounts));
}

/** Logs which accounts have a secret that is not removed from within other words. */
export function reportShortSecrets(log: Log, accounts: readonly AccountSettings[]): void {
  for (const account of accounts) {
    if (account.authentication.secrets.some(isShort)) {
      log.warn(
        { account: account.name },
        'secret shorter than 8 characters; removed only where it stands alone',
      );
    }
  }
}

/** Returns all secrets of these accounts, which no output may contain. */
export function secretsOf(accounts: readonly AccountSettings[]): readonly Secret[] {
  return accounts.flatMap((account) => [
    ...account.authentication.secrets,
    ...proxySecrets(account),
    ...[account.hookSecret, pathSecret(account.baseUrl)].filter((secret) => secret !== undefined),
  ]);
}

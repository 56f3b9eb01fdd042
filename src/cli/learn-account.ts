import { ApiError, apiErrorReasons } from '../api/errors.ts';
import type { MonitoringService } from '../api/service.ts';
import { Budget } from '../budget/budget.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import { systemClock } from '../lib/clock.ts';
import type { WindowLimits } from '../schedule/naive-exporter.ts';
import { accountService } from './account-service.ts';
import { scrubberOf } from './exporter-process.ts';
import { UsageError } from './usage-error.ts';

export interface LearntAccount {
  readonly checks: number;
  readonly transactions: number;
  readonly limits: WindowLimits;
}

/**
 * Learns the size and the limits of an account from its lists, a request each. Rejects with a `UsageError`
 * when it cannot.
 */
export async function learnAccount(settings: AccountSettings): Promise<LearntAccount> {
  const budget = new Budget({ clock: systemClock, random: Math.random });
  const { transport, service } = accountService(settings, {
    gate: budget,
    clock: systemClock,
    scrubber: scrubberOf([settings]),
    onExchange: () => {},
  });
  try {
    const { signal } = new AbortController();
    const checks = await service.listChecks(signal);
    const transactions = await transactionsOf(service, settings, signal);
    const { short, long } = budget.view().windows;
    if (short === undefined || long === undefined) {
      throw new UsageError(
        'The service does not say what its limits are; give --checks, --short and --long.',
      );
    }
    return {
      checks: checks.items.length,
      transactions,
      limits: { short: short.limit, long: long.limit },
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`${error.message}\n${apiErrorReasons[error.reason]}`, { cause: error });
  } finally {
    await transport.close();
  }
}

/** None where they are not read: by choice, by the version of the API, or because the token may not. */
async function transactionsOf(
  service: MonitoringService,
  { datasets = {} }: AccountSettings,
  signal: AbortSignal,
): Promise<number> {
  const isRead = service.capabilities.has('list_transactions');
  if (!isRead || datasets.transactions?.enabled === false) return 0;
  try {
    return (await service.listTransactions(signal)).items.length;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'forbidden') return 0;
    throw error;
  }
}

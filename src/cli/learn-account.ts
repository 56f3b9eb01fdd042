import { ApiError, apiErrorReasons } from '../api/errors.ts';
import type { MonitoringService } from '../api/service.ts';
import { Budget } from '../budget/budget.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import { systemClock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { accountService } from './account-service.ts';
import { scrubberOf } from './exporter-process.ts';
import { leftWindow, type PlanWindows } from './plan-window.ts';
import { UsageError } from './usage-error.ts';

export interface LearntAccount {
  readonly checks: number;
  readonly transactions: number;
  /** What is left of those that the service speaks of. */
  readonly windows: Partial<PlanWindows>;
}

/**
 * Learns the size of an account from its lists, a request each, and what is left of its limits. Rejects with a `UsageError`
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
    return {
      checks: checks.items.length,
      transactions,
      windows: present({ short: short && leftWindow(short), long: long && leftWindow(long) }),
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

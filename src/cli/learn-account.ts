import { ApiError, apiErrorReasons } from '../api/errors.ts';
import { Budget } from '../budget/budget.ts';
import type { AccountSettings } from '../config/account-settings.ts';
import { systemClock } from '../lib/clock.ts';
import type { WindowLimits } from '../schedule/naive-exporter.ts';
import { accountService } from './account-service.ts';
import { scrubberOf } from './exporter-process.ts';
import { UsageError } from './usage-error.ts';

export interface LearntAccount {
  readonly checks: number;
  readonly limits: WindowLimits;
}

/** Learns the size and the limits of an account from one request. Rejects with a `UsageError` when it cannot. */
export async function learnAccount(settings: AccountSettings): Promise<LearntAccount> {
  const budget = new Budget({ clock: systemClock, random: Math.random });
  const { transport, service } = accountService(settings, {
    gate: budget,
    clock: systemClock,
    scrubber: scrubberOf([settings]),
    onExchange: () => {},
  });
  try {
    const { items } = await service.listChecks(new AbortController().signal);
    const { short, long } = budget.view().windows;
    if (short === undefined || long === undefined) {
      throw new UsageError(
        'The service does not say what its limits are; give --checks, --short and --long.',
      );
    }
    return { checks: items.length, limits: { short: short.limit, long: long.limit } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`${error.message}\n${apiErrorReasons[error.reason]}`, { cause: error });
  } finally {
    await transport.close();
  }
}

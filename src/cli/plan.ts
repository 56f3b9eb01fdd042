import { ApiError, remedyOf } from '../api/errors.ts';
import type { MonitoringService } from '../api/service.ts';
import { accountService } from '../app/account-service.ts';
import { loadConfiguration } from '../app/load-configuration.ts';
import { scrubberOf } from '../app/logging.ts';
import { Budget } from '../budget/budget.ts';
import type { AccountSettings } from '../config/account.ts';
import { UsageError } from '../config/problems.ts';
import type { Check } from '../domain/check.ts';
import { windowNames } from '../domain/rate-limit.ts';
import type { ApiVersion } from '../domain/version.ts';
import { systemClock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { DemandSize } from '../schedule/demand.ts';
import { logAtFirstSight, missingPast } from '../slo/past.ts';
import { listTimesOf } from '../tally/list-times.ts';
import { startTally } from '../tally/start-tally.ts';
import { planReport } from './plan-report.ts';
import { completeWindow, limitFlags, type PlanWindows, remainingWindow } from './plan-window.ts';
import type { Terminal } from './terminal.ts';

interface MeasuredAccount {
  readonly checks: number;
  readonly transactions: number;
  /** Checks whose past costs one request each at first sight. */
  readonly checksWithUnknownPast: number;
  /** Checks that are down. */
  readonly checksDown: number;
  /** The windows that the service reported. */
  readonly windows: Partial<PlanWindows>;
}

/** Measures an account: its lists, one request each, and its windows, or throws a `UsageError`. */
async function measureAccount(settings: AccountSettings): Promise<MeasuredAccount> {
  const budget = new Budget({ clock: systemClock, random: Math.random });
  const { transport, service } = accountService(settings, {
    gate: budget,
    clock: systemClock,
    scrubber: scrubberOf([settings]),
  });
  try {
    const { signal } = new AbortController();
    const checks = await service.listChecks(signal);
    const transactions = await transactionsOf(service, settings, signal);
    const { short, long } = budget.view().windows;
    return {
      checks: checks.items.length,
      transactions,
      checksWithUnknownPast: checks.items.filter((check) => hasUnknownPast(check)).length,
      checksDown: checks.items.filter(({ status }) => status === 'down').length,
      windows: present({
        short: short && remainingWindow(short),
        long: long && remainingWindow(long),
      }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`${error.message}\n${remedyOf(error.reason, settings.version)}`, {
      cause: error,
    });
  } finally {
    await transport.close();
  }
}

/** Returns 0 if transactions are not read: disabled, unsupported or forbidden. */
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

/** Returns whether an exporter that starts now would have to read the past of the check. */
function hasUnknownPast(check: Check): boolean {
  const nowSeconds = unixSeconds(systemClock);
  const listTimes = listTimesOf([check], {
    requestedAtSeconds: nowSeconds,
    receivedAtSeconds: nowSeconds,
  });
  const states = startTally(check, listTimes);
  const log = logAtFirstSight(check, check.status, states.startSeconds);
  return log !== undefined && missingPast({ states, log }, check) !== undefined;
}

export interface PlanFlags {
  readonly apiVersion: ApiVersion;
  readonly 'config.file'?: string;
  readonly checks?: number;
  readonly transactions?: number;
  /** Checks that failed within 35 days. */
  readonly failed?: number;
  /** Checks that are down now; they are part of `failed`. */
  readonly down?: number;
  readonly short?: number;
  readonly long?: number;
}

/** Prints the plan: for given sizes, or for each account at one request per list. */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, 'config.file': file } = flags;
  const given = givenBasis(flags);
  if (given !== undefined && file === undefined) {
    terminal.stdout.write(planReport({ version, ...given.size }, given.windows));
    return;
  }
  const { accounts, served } = loadConfiguration(terminal.env, file);
  for (const [index, account] of accounts.entries()) {
    const { size, windows } = given ?? (await measuredBasis(account, flags));
    const title = accounts.length > 1 ? `${index > 0 ? '\n\n' : ''}Account ${account.name}\n` : '';
    terminal.stdout.write(
      title + planReport({ version: account.version, ...size }, windows, account, served),
    );
  }
}

interface PlanBasis {
  readonly size: Omit<DemandSize, 'version'>;
  readonly windows: PlanWindows;
}

function givenBasis(flags: PlanFlags): PlanBasis | undefined {
  const { checks, transactions = 0, failed = 0, down = 0 } = flags;
  if (checks === undefined) return undefined;
  if (Math.max(failed, down) > checks) {
    throw new UsageError(`--failed and --down must be at most --checks, which is ${checks}`);
  }
  const reason = 'With --checks, no account is asked for its limits';
  const size = { checks, transactions, checksWithUnknownPast: failed, checksDown: down };
  return { size, windows: requireBothWindows(givenWindows(flags), reason) };
}

async function measuredBasis(account: AccountSettings, flags: PlanFlags): Promise<PlanBasis> {
  const measured = await measureAccount(account);
  const { checks, transactions, checksWithUnknownPast, checksDown, windows } = measured;
  const reason = 'The service does not report its limits';
  return {
    size: {
      checks,
      transactions: flags.transactions ?? transactions,
      checksWithUnknownPast: flags.failed ?? checksWithUnknownPast,
      checksDown: flags.down ?? checksDown,
    },
    windows: requireBothWindows({ ...windows, ...givenWindows(flags) }, reason),
  };
}

function givenWindows(flags: PlanFlags): Partial<PlanWindows> {
  const given = windowNames.flatMap((name) => {
    const limit = flags[name];
    return limit === undefined ? [] : [[name, completeWindow(name, limit)] as const];
  });
  return Object.fromEntries(given);
}

function requireBothWindows(windows: Partial<PlanWindows>, reason: string): PlanWindows {
  const { short, long } = windows;
  if (short !== undefined && long !== undefined) return { short, long };
  const missing = windowNames.filter((name) => windows[name] === undefined);
  throw new UsageError(`${reason}; pass ${limitFlags(missing)}.`);
}

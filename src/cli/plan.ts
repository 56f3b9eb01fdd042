import { ApiError, remedyOf } from '../api/errors.ts';
import type { MonitoringService } from '../api/service.ts';
import { accountService } from '../app/account-service.ts';
import { BudgetParts } from '../app/budget-parts.ts';
import { loadConfiguration } from '../app/load-configuration.ts';
import { scrubberOf } from '../app/logging.ts';
import { Budget } from '../budget/budget.ts';
import type { Reserves } from '../budget/reserve.ts';
import type { AccountSettings } from '../config/account.ts';
import { UsageError } from '../config/problems.ts';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import { shortestIntervalSeconds } from '../domain/transaction.ts';
import type { ApiVersion } from '../domain/version.ts';
import { systemClock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { DemandSize } from '../schedule/demand.ts';
import { planReport } from './plan-report.ts';
import {
  completeWindow,
  limitFlags,
  type PlanWindows,
  reportedWindow,
  reservedIn,
} from './plan-window.ts';
import type { Terminal } from './terminal.ts';

type PlanSize = Omit<DemandSize, 'version'>;

interface MeasuredAccount {
  readonly size: PlanSize;
  /** The windows that the service reported. */
  readonly windows: Partial<PlanWindows>;
}

/**
 * Measures an account: its lists, one request each, and its windows, or throws a `UsageError`. The
 * list of transactions is not read if their number is given.
 */
async function measureAccount(
  settings: AccountSettings,
  given: number | undefined,
): Promise<MeasuredAccount> {
  const budget = new Budget({ clock: systemClock, random: Math.random });
  const { transport, service } = accountService(settings, {
    gate: budget,
    clock: systemClock,
    scrubber: scrubberOf([settings]),
  });
  try {
    const { signal } = new AbortController();
    const checks = await service.listChecks(signal);
    const transactions =
      given === undefined
        ? await transactionsOf(service, settings, signal)
        : { transactions: given };
    const { short, long } = budget.view().windows;
    return {
      size: { checks: checks.items.length, ...transactions },
      windows: present({
        short: short && reportedWindow('short', short),
        long: long && reportedWindow('long', long),
      }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isSecond = error.reason === 'budget' && error.operation === 'list_transactions';
    const advice = isSecond ? ' Pass --transactions, and their list is not read.' : '';
    const remedy = remedyOf(error.reason, settings.version) + advice;
    throw new UsageError(`${error.message}\n${remedy}`, { cause: error });
  } finally {
    await transport.close();
  }
}

/** Their number is 0 if they are not read: disabled, unsupported or forbidden. */
async function transactionsOf(
  service: MonitoringService,
  { datasets = {} }: AccountSettings,
  signal: AbortSignal,
): Promise<Omit<PlanSize, 'checks'>> {
  const isRead = service.capabilities.has('list_transactions');
  if (!isRead || datasets.transactions?.enabled === false) return { transactions: 0 };
  try {
    const { items } = await service.listTransactions(signal);
    const shortestTransactionSeconds = shortestIntervalSeconds(items);
    return {
      transactions: items.length,
      ...(Number.isFinite(shortestTransactionSeconds) && { shortestTransactionSeconds }),
    };
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'forbidden') return { transactions: 0 };
    throw error;
  }
}

export interface PlanFlags {
  readonly apiVersion: ApiVersion;
  readonly 'config.file'?: string;
  readonly checks?: number;
  readonly transactions?: number;
  readonly short?: number;
  readonly long?: number;
}

/**
 * Prints the plan: for given sizes, or for each account at one request per list. Throws a `UsageError`
 * for accounts that cannot be read, after the plans of the others.
 */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, 'config.file': file } = flags;
  const given = givenBasis(flags);
  if (given !== undefined && file === undefined) {
    terminal.stdout.write(planReport({ version, ...given.size }, given.windows));
    return;
  }
  const { accounts } = loadConfiguration(terminal.env, file);
  const bases = new Map<string, PlanBasis>();
  const failures: string[] = [];
  for (const account of accounts) {
    try {
      bases.set(account.name, given ?? (await measuredBasis(account, flags)));
    } catch (error) {
      if (!(error instanceof UsageError) || accounts.length === 1) throw error;
      failures.push(`Account ${account.name}: ${error.message}`);
    }
  }
  const parts = new BudgetParts(accounts, (name) => itemsOf(bases.get(name)));
  const reports = accounts.flatMap((account) => {
    const { name } = account;
    const basis = bases.get(name);
    if (basis === undefined) return [];
    const part = parts.of(name);
    const sharing = accounts.filter((one) => one === account || part.sharedWith.includes(one.name));
    const reserve = largestReserve(sharing, basis.windows);
    const size = { version: account.version, ...basis.size };
    const report = planReport(size, basis.windows, { ...account, ...part, reserve });
    return accounts.length > 1 ? `Account ${name}\n${report}` : report;
  });
  terminal.stdout.write(reports.join('\n\n'));
  if (failures.length > 0) throw new UsageError(failures.join('\n'));
}

/** Undefined for an account without items, or that could not be read. */
function itemsOf(basis: PlanBasis | undefined): number | undefined {
  const { checks = 0, transactions = 0 } = basis?.size ?? {};
  return checks + transactions || undefined;
}

/** The reserve of accounts with equal credentials is the largest of them. */
function largestReserve(accounts: readonly AccountSettings[], windows: PlanWindows): Reserves {
  const largest = (name: WindowName) => ({
    requests: Math.max(...accounts.map(({ reserve = {} }) => reservedIn(name, windows, reserve))),
  });
  return { short: largest('short'), long: largest('long') };
}

interface PlanBasis {
  readonly size: PlanSize;
  readonly windows: PlanWindows;
}

function givenBasis(flags: PlanFlags): PlanBasis | undefined {
  const { checks, transactions = 0 } = flags;
  if (checks === undefined) return undefined;
  const reason = 'With --checks, no account is asked for its limits';
  return {
    size: { checks, transactions },
    windows: requireBothWindows(givenWindows(flags), reason),
  };
}

async function measuredBasis(account: AccountSettings, flags: PlanFlags): Promise<PlanBasis> {
  const { size, windows } = await measureAccount(account, flags.transactions);
  const reason = 'The service does not report its limits';
  return {
    size,
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

import type { AccountSettings } from '../config/account-settings.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import { windowNames } from '../domain/window.ts';
import type { AccountSize } from '../schedule/demand.ts';
import { configured } from './configured.ts';
import { learnAccount } from './learn-account.ts';
import { planReport } from './plan-report.ts';
import { limitFlags, type PlanWindows, wholeWindow } from './plan-window.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface PlanFlags {
  readonly apiVersion: ApiVersion;
  readonly 'config.file'?: string;
  readonly checks?: number;
  readonly transactions?: number;
  readonly short?: number;
  readonly long?: number;
}

/**
 * Prints what the budget buys: for the size and limits given, or for each account of the file or of
 * the environment at the cost of a request for each list.
 */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, 'config.file': file } = flags;
  const given = sizeGiven(flags);
  if (given !== undefined && file === undefined) {
    terminal.stdout.write(planReport({ version, ...given.size }, given.windows));
    return;
  }
  const { accounts } = configured(terminal.env, file);
  for (const [index, account] of accounts.entries()) {
    const { size, windows } = given ?? (await asked(account, flags));
    const title = accounts.length > 1 ? `${index > 0 ? '\n\n' : ''}Account ${account.name}\n` : '';
    terminal.stdout.write(
      title + planReport({ version: account.version, ...size }, windows, account),
    );
  }
}

interface PlanBasis {
  readonly size: Omit<AccountSize, 'version'>;
  readonly windows: PlanWindows;
}

function sizeGiven(flags: PlanFlags): PlanBasis | undefined {
  const { checks, transactions = 0 } = flags;
  if (checks === undefined) return undefined;
  const reason = 'With --checks no account is asked for its limits';
  return { size: { checks, transactions }, windows: complete(windowsGiven(flags), reason) };
}

async function asked(account: AccountSettings, flags: PlanFlags): Promise<PlanBasis> {
  const { checks, transactions, windows } = await learnAccount(account);
  const reason = 'The service does not say what is left of its limits';
  return {
    size: { checks, transactions: flags.transactions ?? transactions },
    windows: complete({ ...windows, ...windowsGiven(flags) }, reason),
  };
}

function windowsGiven(flags: PlanFlags): Partial<PlanWindows> {
  const given = windowNames.flatMap((name) => {
    const limit = flags[name];
    return limit === undefined ? [] : [[name, wholeWindow(name, limit)] as const];
  });
  return Object.fromEntries(given);
}

function complete(windows: Partial<PlanWindows>, reason: string): PlanWindows {
  const { short, long } = windows;
  if (short !== undefined && long !== undefined) return { short, long };
  const missing = windowNames.filter((name) => windows[name] === undefined);
  throw new UsageError(`${reason}; give ${limitFlags(missing)}.`);
}

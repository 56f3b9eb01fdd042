import type { AccountSettings } from '../config/account-settings.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { WindowLimits } from '../schedule/naive-exporter.ts';
import { configured } from './configured.ts';
import { learnAccount } from './learn-account.ts';
import { planReport } from './plan-report.ts';
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
 * the environment at the cost of one request.
 */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, 'config.file': file, transactions = 0 } = flags;
  const given = numbersGiven(flags);
  if (given !== undefined && file === undefined) {
    const { checks, limits } = given;
    terminal.stdout.write(planReport({ version, checks, transactions }, limits));
    return;
  }
  const { accounts } = configured(terminal.env, file);
  for (const [index, account] of accounts.entries()) {
    const numbers = given ?? (await learnAccount(account));
    const title = accounts.length > 1 ? `${index > 0 ? '\n\n' : ''}Account ${account.name}\n` : '';
    terminal.stdout.write(title + reportOf(account, numbers, transactions));
  }
}

interface Numbers {
  readonly checks: number;
  readonly limits: WindowLimits;
}

function numbersGiven({ checks, short, long }: PlanFlags): Numbers | undefined {
  if (checks !== undefined && short !== undefined && long !== undefined) {
    return { checks, limits: { short, long } };
  }
  if (checks !== undefined || short !== undefined || long !== undefined) {
    throw new UsageError('--checks, --short and --long go together, or none of them');
  }
  return undefined;
}

function reportOf(account: AccountSettings, { checks, limits }: Numbers, transactions: number) {
  const size = { version: account.version, checks, transactions };
  return planReport(size, limits, account);
}

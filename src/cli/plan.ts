import type { ApiVersion } from '../domain/api-version.ts';
import { present } from '../lib/present.ts';
import { configured } from './configured.ts';
import { type LearntAccount, learnAccount } from './learn-account.ts';
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
 * the environment at the cost of a request for each list.
 */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, 'config.file': file } = flags;
  const given = numbersGiven(flags);
  if (given !== undefined && file === undefined) {
    const { limits, ...size } = given;
    terminal.stdout.write(planReport({ version, ...size }, limits));
    return;
  }
  const { accounts } = configured(terminal.env, file);
  for (const [index, account] of accounts.entries()) {
    const learnt = given ?? (await learnAccount(account));
    const { limits, ...size } = { ...learnt, ...present({ transactions: flags.transactions }) };
    const title = accounts.length > 1 ? `${index > 0 ? '\n\n' : ''}Account ${account.name}\n` : '';
    terminal.stdout.write(
      title + planReport({ version: account.version, ...size }, limits, account),
    );
  }
}

function numbersGiven({
  checks,
  transactions = 0,
  short,
  long,
}: PlanFlags): LearntAccount | undefined {
  if (checks !== undefined && short !== undefined && long !== undefined) {
    return { checks, transactions, limits: { short, long } };
  }
  if (checks !== undefined || short !== undefined || long !== undefined) {
    throw new UsageError('--checks, --short and --long go together, or none of them');
  }
  return undefined;
}

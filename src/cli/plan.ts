import { readFileSync } from 'node:fs';
import type { ApiVersion } from '../domain/api-version.ts';
import { accountFromEnvironment } from './environment.ts';
import { learnAccount } from './learn-account.ts';
import { planReport } from './plan-report.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface PlanFlags {
  readonly apiVersion: ApiVersion;
  readonly checks?: number;
  readonly transactions?: number;
  readonly short?: number;
  readonly long?: number;
}

/** Prints what the budget buys: for the size and limits given, or for the account of the environment at the cost of one request. */
export async function printPlan(terminal: Terminal, flags: PlanFlags): Promise<void> {
  const { apiVersion: version, checks, transactions = 0, short, long } = flags;
  if (checks !== undefined && short !== undefined && long !== undefined) {
    const size = { version, checks, transactions };
    terminal.stdout.write(planReport(size, { short, long }));
    return;
  }
  if (checks !== undefined || short !== undefined || long !== undefined) {
    throw new UsageError('--checks, --short and --long go together, or none of them');
  }
  const settings = accountFromEnvironment(terminal.env, (path) => readFileSync(path, 'utf8'));
  const learnt = await learnAccount(settings);
  const size = { version: settings.version, checks: learnt.checks, transactions };
  terminal.stdout.write(planReport(size, learnt.limits));
}

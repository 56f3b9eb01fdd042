import { hashUnit } from '../../lib/random.ts';
import type { MonitoredCheck, TestRun } from '../monitored-check.ts';
import type { TransactionKind } from './step-functions.ts';
import type { TransactionSettings } from './transaction-settings.ts';

/** A transaction of the simulated account. Times are UNIX seconds. */
export interface Transaction extends MonitoredCheck {
  readonly kind: TransactionKind;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly settings: TransactionSettings;
}

const firstRunSalt = 61;
const longestWaitSeconds = 60;

/** The runs of a transaction that is active from `from` on: the first within a minute. */
export function runFrom(id: number, from: number, intervalMinutes: number): TestRun {
  const resolutionSeconds = 60 * intervalMinutes;
  const wait = 1 + Math.floor(hashUnit(id, from, firstRunSalt) * longestWaitSeconds);
  return { from, resolutionSeconds, phaseSeconds: (from + wait) % resolutionSeconds };
}

/** The transaction with changed settings: it stops, resumes or changes its pace at `now`. */
export function withSettings(
  transaction: Transaction,
  settings: TransactionSettings,
  now: number,
): Transaction {
  const { active, interval } = transaction.settings;
  const steady = settings.active === active && settings.interval === interval;
  const runs = steady ? transaction.runs : resettledRuns(transaction, settings, now);
  return { ...transaction, settings, runs, modifiedAt: now };
}

function resettledRuns(
  { id, runs }: Transaction,
  { active, interval }: TransactionSettings,
  now: number,
): TestRun[] {
  // What was tested in this very second has been seen, so the change takes effect with the next.
  const change = now + 1;
  const past = runs
    .filter(({ from }) => from < change)
    .map((run) => ({ ...run, to: Math.min(run.to ?? change, change) }));
  return active ? [...past, runFrom(id, change, interval)] : past;
}

import { hashUnit } from '../lib/hash.ts';
import { present } from '../lib/present.ts';
import type { MonitoredCheck, TestRun } from '../simulation/monitored-check.ts';
import { recordedWire, type Wire } from '../wire.ts';
import {
  kindOfSteps,
  type TransactionChanges,
  type TransactionKind,
  type TransactionSettings,
} from './transaction-settings.ts';

/** A transaction of the simulated account. Times are UNIX seconds. */
export interface SandboxTransaction extends MonitoredCheck {
  readonly kind: TransactionKind;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly settings: TransactionSettings;
}

const firstRunSalt = 61;
const maxWaitSeconds = 60;

/** The runs of a transaction that is active from `from` on: the first is due within a minute. */
function runFrom(id: number, from: number, intervalMinutes: number, lateSeconds = 0): TestRun {
  const resolutionSeconds = 60 * intervalMinutes;
  const wait = 1 + Math.floor(hashUnit(id, from, firstRunSalt) * maxWaitSeconds);
  return { from, resolutionSeconds, phaseSeconds: (from + wait) % resolutionSeconds, lateSeconds };
}

/**
 * The transaction with changed settings; the others stay. It stops, resumes or changes its pace at
 * `now`.
 */
export function changedTransaction(
  transaction: SandboxTransaction,
  changes: TransactionChanges,
  now: number,
): SandboxTransaction {
  const settings = { ...transaction.settings, ...present(changes) };
  const { active, interval } = transaction.settings;
  const steady = settings.active === active && settings.interval === interval;
  const runs = steady ? transaction.runs : resettledRuns(transaction, settings, now);
  return { ...transaction, settings, runs, modifiedAt: now };
}

function resettledRuns(
  { id, runs }: SandboxTransaction,
  { active, interval }: TransactionSettings,
  now: number,
): TestRun[] {
  // The test of this very second has been seen, so the change takes effect with the next one.
  const change = now + 1;
  const past = runs
    .filter(({ from }) => from < change)
    .map((run) => ({ ...run, to: Math.min(run.to ?? change, change) }));
  return active ? [...past, runFrom(id, change, interval, past.at(-1)?.lateSeconds)] : past;
}

const responseSalt = 62;

/** The typical duration of all steps of a transaction together, in milliseconds. */
export function typicalMilliseconds(id: number, steps: number): number {
  return Math.round(400 * steps * (0.6 + hashUnit(id, responseSalt)));
}

/** A new transaction with this identifier. If it is active, it runs from `now` on, in UNIX seconds. */
export function newTransaction(
  id: number,
  settings: TransactionSettings,
  now: number,
  { lateTestSeconds }: Pick<Wire, 'lateTestSeconds'> = recordedWire,
): SandboxTransaction {
  return {
    id,
    kind: kindOfSteps(settings.steps),
    createdAt: now,
    modifiedAt: now,
    settings,
    stability: 'ordinary',
    typicalResponseMilliseconds: typicalMilliseconds(id, settings.steps.length),
    runs: settings.active ? [runFrom(id, now, settings.interval, lateTestSeconds)] : [],
  };
}

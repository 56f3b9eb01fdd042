import type { Express } from 'express';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Credentials } from './authentication.ts';
import { Faults } from './faults.ts';
import type { History } from './history.ts';
import type { OddityName } from './oddities.ts';
import { RequestJournal } from './request-journal.ts';
import { RequestLimits } from './request-limits.ts';
import { requireSensible, requireTransactions } from './sandbox-options.ts';
import { serviceApp } from './service-app.ts';
import { World } from './world.ts';

export interface SandboxOptions {
  /** How many checks the account has: 0 to 50,000, 24 by default. */
  readonly checks?: number;
  /** How many transactions it has: 0 to 5,000, by default a tenth as many as checks, and at least 3. */
  readonly transactions?: number;
  /** Any whole number; the same seed gives the same data. */
  readonly seed?: number;
  /** Drives the data. */
  readonly clock: Clock;
  /** Drives the request windows and slow answers: real time, even where `clock` runs faster. */
  readonly limitsClock: Clock;
  readonly token: string;
  /** A second token, which can only read. */
  readonly readOnlyToken?: string;
  /** Credentials of the legacy versions: `demo@example.com` with the password `demo` by default. */
  readonly email?: string;
  readonly password?: string;
  /** Application key of the legacy versions: `demo-app-key` by default. */
  readonly appKey?: string;
  /** An account that `Account-Email` may select in the legacy versions. */
  readonly accountEmail?: string;
  /** Requests in 3600 seconds: 400 by default. */
  readonly shortLimit?: number;
  /** Requests in 30 days: 72,000 by default. */
  readonly longLimit?: number;
  /** UNIX seconds to which the age and the present state of the checks refer: now by default. */
  readonly startedAt?: number;
  /** Ways in which every answer differs from the documentation though it can be read: none by default. */
  readonly oddities?: readonly OddityName[];
}

/** The simulated service, and the truth about it. */
export interface Sandbox {
  readonly app: Express;
  readonly world: World;
  readonly history: History;
  readonly faults: Faults;
  readonly limits: RequestLimits;
  readonly journal: RequestJournal;
}

/** Throws a `RangeError` for an option out of its range. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, limitsClock } = options;
  const { checks = 24, seed = 1, shortLimit = 400, longLimit = 72_000, oddities = [] } = options;
  const startedAt = options.startedAt ?? unixSeconds(clock);
  const credentials = credentialsOf(options);
  requireSensible({ checks, seed, shortLimit, longLimit, startedAt, credentials, oddities });

  const world = new World({ seed, checks, startedAt, ...transactionsOf(options) });
  const limits = new RequestLimits({ clock: limitsClock, shortLimit, longLimit });
  const faults = new Faults();
  const journal = new RequestJournal();
  const app = serviceApp({
    world,
    clock,
    limitsClock,
    limits,
    faults,
    journal,
    credentials,
    oddities,
  });
  return { app, world, history: world.history, faults, limits, journal };
}

function transactionsOf({ transactions }: SandboxOptions): { readonly transactions?: number } {
  if (transactions === undefined) return {};
  requireTransactions(transactions);
  return { transactions };
}

function credentialsOf(options: SandboxOptions): Credentials {
  const { token, readOnlyToken, accountEmail } = options;
  const { email = 'demo@example.com', password = 'demo', appKey = 'demo-app-key' } = options;
  return {
    token,
    email,
    password,
    appKey,
    ...(readOnlyToken !== undefined && { readOnlyToken }),
    ...(accountEmail !== undefined && { accountEmail }),
  };
}

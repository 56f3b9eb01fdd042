import type { Express } from 'express';
import { World } from './account/world.ts';
import { Faults } from './faults/faults.ts';
import { isQuirkName, type QuirkName, quirkKinds } from './faults/quirks.ts';
import { type Clock, unixSeconds } from './lib/clock.ts';
import { serviceApp } from './server/app.ts';
import type { AcceptedCredentials } from './server/authentication.ts';
import { RequestLimits } from './server/rate-limit.ts';
import { RequestJournal } from './server/request-journal.ts';
import type { History } from './simulation/history.ts';
import { type Wire, wireWith } from './wire.ts';

/** Twice the size of one result page of the check list, so that paging can be tried. */
const maxChecks = 50_000;
const maxTransactions = 5000;

interface ResolvedOptions {
  readonly checks: number;
  readonly seed: number;
  readonly shortLimit: number;
  readonly longLimit: number;
  readonly startedAt: number;
  readonly credentials: AcceptedCredentials;
  readonly quirks: readonly string[];
}

/** Throws a `RangeError` that names the first invalid option. */
function requireValidOptions(options: ResolvedOptions): void {
  const { checks, seed, shortLimit, longLimit, startedAt, credentials, quirks } = options;
  requireWhole('checks', checks, 0, maxChecks);
  requireWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  requireWhole('shortLimit', shortLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('longLimit', longLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('startedAt', startedAt, 0, Number.MAX_SAFE_INTEGER);
  requireCredentials(credentials);
  const unknown = quirks.find((name) => !isQuirkName(name));
  if (unknown !== undefined) {
    const known = Object.keys(quirkKinds).join(', ');
    throw new RangeError(`unknown quirk ${unknown}; valid quirks: ${known}`);
  }
}

/** Throws a `RangeError` for an invalid number of transactions. */
function requireTransactions(transactions: number): void {
  requireWhole('transactions', transactions, 0, maxTransactions);
}

function requireCredentials({ token, readOnlyToken, ...legacy }: AcceptedCredentials): void {
  if (!/^\S+$/.test(token)) throw new RangeError('token must be text without white space');
  if (readOnlyToken !== undefined && (!/^\S+$/.test(readOnlyToken) || readOnlyToken === token)) {
    throw new RangeError('readOnlyToken must be text without white space, and not the token');
  }
  for (const [name, value] of Object.entries(legacy)) {
    if (value === '') throw new RangeError(`${name} must not be empty`);
  }
  if (legacy.email.includes(':')) throw new RangeError('email must not contain a colon');
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new RangeError(`${name} must be a whole number ${range}, not ${value}`);
}

export interface SandboxOptions {
  /** The number of checks: 0 to 50,000, by default 24. */
  readonly checks?: number;
  /**
   * The number of transactions: 0 to 5,000, by default a tenth of the number of checks, and at
   * least 3.
   */
  readonly transactions?: number;
  /** Any whole number; the same seed gives the same data. */
  readonly seed?: number;
  /** Drives the data. */
  readonly clock: Clock;
  /** Drives the request windows and slow responses: real time, even if `clock` runs faster. */
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
  /** The time in UNIX seconds of the initial state and the age of the checks; by default now. */
  readonly startedAt?: number;
  /** Tolerable deviations of every response from the documentation; none by default. */
  readonly quirks?: readonly QuirkName[];
  /** Freedoms of the responses that differ from recorded responses; none by default. */
  readonly wire?: Partial<Wire>;
  /** The recent history: by default from the seed, with a check in every state. */
  readonly scenario?: 'demo';
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
  const { checks = 24, seed = 1, shortLimit = 400, longLimit = 72_000, quirks = [] } = options;
  const startedAt = options.startedAt ?? unixSeconds(clock);
  const credentials = credentialsOf(options);
  requireValidOptions({ checks, seed, shortLimit, longLimit, startedAt, credentials, quirks });

  const world = new World({
    ...{ seed, checks, startedAt, wire: wireWith(options.wire ?? {}) },
    ...transactionsOf(options),
    ...(options.scenario !== undefined && { scenario: options.scenario }),
  });
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
    quirks,
  });
  return { app, world, history: world.history, faults, limits, journal };
}

function transactionsOf({ transactions }: SandboxOptions): { readonly transactions?: number } {
  if (transactions === undefined) return {};
  requireTransactions(transactions);
  return { transactions };
}

function credentialsOf(options: SandboxOptions): AcceptedCredentials {
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

import type { Express } from 'express';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { Faults } from './faults.ts';
import type { History } from './history.ts';
import { RequestJournal } from './request-journal.ts';
import { RequestLimits } from './request-limits.ts';
import { requireSensible } from './sandbox-options.ts';
import { serviceApp } from './service-app.ts';
import { World } from './world.ts';

export interface SandboxOptions {
  /** How many checks the account has: 0 to 50,000, 24 by default. */
  readonly checks?: number;
  /** Any whole number; the same seed gives the same data. */
  readonly seed?: number;
  /** Drives the data. */
  readonly clock: Clock;
  /** Drives the request windows and slow answers: real time, even where `clock` runs faster. */
  readonly limitsClock: Clock;
  readonly token: string;
  /** A second token, which can only read. */
  readonly readOnlyToken?: string;
  /** Requests in 3600 seconds: 400 by default. */
  readonly shortLimit?: number;
  /** Requests in 30 days: 72,000 by default. */
  readonly longLimit?: number;
  /** UNIX seconds to which the age and the present state of the checks refer: now by default. */
  readonly startedAt?: number;
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
  const { clock, limitsClock, token, readOnlyToken } = options;
  const { checks = 24, seed = 1, shortLimit = 400, longLimit = 72_000 } = options;
  const startedAt = options.startedAt ?? unixSeconds(clock);
  requireSensible({ checks, seed, shortLimit, longLimit, startedAt, token, readOnlyToken });

  const world = new World({ seed, checks, startedAt });
  const limits = new RequestLimits({ clock: limitsClock, shortLimit, longLimit });
  const faults = new Faults();
  const journal = new RequestJournal();
  const tokens = readOnlyToken === undefined ? { token } : { token, readOnlyToken };
  const app = serviceApp({ world, clock, limitsClock, limits, faults, journal, tokens });
  return { app, world, history: world.history, faults, limits, journal };
}

import type { Express } from 'express';
import { z } from 'zod';
import { World } from './account/world.ts';
import { Faults } from './faults/faults.ts';
import { type QuirkName, quirkKinds } from './faults/quirks.ts';
import { type Clock, unixSeconds } from './lib/clock.ts';
import { filled, oneOf, valid, whole, word } from './lib/options.ts';
import { serviceApp } from './server/app.ts';
import { RequestLimits } from './server/rate-limit.ts';
import { RequestJournal } from './server/request-journal.ts';
import type { History } from './simulation/history.ts';
import { type Wire, wireWith } from './wire.ts';

/** Twice the size of one result page of the check list, so that paging can be tried. */
const maxChecks = 50_000;
const maxTransactions = 5000;

const clock = z.custom<Clock>(
  (given) => typeof given === 'object' && given !== null && 'now' in given && 'sleep' in given,
  'must be a clock',
);

export const sandboxOptions = z.object({
  /** The number of checks. */
  checks: whole(0, maxChecks).default(24),
  /** The number of transactions: by default a tenth of the number of checks, and at least 3. */
  transactions: whole(0, maxTransactions).optional(),
  /** Any whole number; the same seed gives the same data. */
  seed: whole(0).default(1),
  /** Drives the data. */
  clock,
  /** Drives the request windows and slow responses: real time, even if `clock` runs faster. */
  limitsClock: clock,
  token: word,
  /** A second token, which can only read. */
  readOnlyToken: word.optional(),
  /** Credentials of the legacy versions. */
  email: filled.regex(/^[^:]*$/, 'must not contain a colon').default('demo@example.com'),
  password: filled.default('demo'),
  /** Application key of the legacy versions. */
  appKey: filled.default('demo-app-key'),
  /** An account that `Account-Email` may select in the legacy versions. */
  accountEmail: filled.optional(),
  /** Requests in 3600 seconds. */
  shortLimit: whole(1).default(400),
  /** Requests in 30 days. */
  longLimit: whole(1).default(72_000),
  /** The time in UNIX seconds of the initial state and the age of the checks; by default now. */
  startedAt: whole(0).optional(),
  /** Tolerable deviations of every response from the documentation. */
  quirks: z
    .array(oneOf(Object.keys(quirkKinds) as QuirkName[]))
    .readonly()
    .default([]),
  /** Freedoms of the responses that differ from recorded responses. */
  wire: z
    .custom<Partial<Wire>>()
    .optional()
    .transform((values = {}) => wireWith(values)),
  /** The recent history: by default from the seed, with a check in every state. */
  scenario: oneOf(['demo']).optional(),
});

export type SandboxOptions = z.input<typeof sandboxOptions>;

/** The simulated service, and the truth about it. */
export interface Sandbox {
  readonly app: Express;
  readonly world: World;
  readonly history: History;
  readonly faults: Faults;
  readonly limits: RequestLimits;
  readonly journal: RequestJournal;
}

/** Throws a `RangeError` that names the first invalid option. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const given = valid(sandboxOptions, options);
  if (given.readOnlyToken === given.token)
    throw new RangeError('readOnlyToken must not be the token');
  const { limitsClock, shortLimit, longLimit } = given;
  const world = new World({ ...given, startedAt: given.startedAt ?? unixSeconds(given.clock) });
  const limits = new RequestLimits({ clock: limitsClock, shortLimit, longLimit });
  const faults = new Faults();
  const journal = new RequestJournal();
  const app = serviceApp({ ...given, world, limits, faults, journal, credentials: given });
  return { app, world, history: world.history, faults, limits, journal };
}

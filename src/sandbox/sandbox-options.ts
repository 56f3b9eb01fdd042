import type { Credentials } from './authentication.ts';
import { isOddityName, oddityKinds } from './oddities.ts';

/** Twice what one page of the check list can hold, so that paging can be tried. */
const mostChecks = 50_000;
const mostTransactions = 5000;

export interface ResolvedOptions {
  readonly checks: number;
  readonly seed: number;
  readonly shortLimit: number;
  readonly longLimit: number;
  readonly startedAt: number;
  readonly credentials: Credentials;
  readonly oddities: readonly string[];
}

/** Throws a `RangeError` that names the first option that makes no sense. */
export function requireSensible(options: ResolvedOptions): void {
  const { checks, seed, shortLimit, longLimit, startedAt, credentials, oddities } = options;
  requireWhole('checks', checks, 0, mostChecks);
  requireWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  requireWhole('shortLimit', shortLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('longLimit', longLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('startedAt', startedAt, 0, Number.MAX_SAFE_INTEGER);
  requireCredentials(credentials);
  const unknown = oddities.find((name) => !isOddityName(name));
  if (unknown !== undefined) {
    const known = Object.keys(oddityKinds).join(', ');
    throw new RangeError(`unknown oddity ${unknown}; there are: ${known}`);
  }
}

/** Throws a `RangeError` for a number of transactions that makes no sense. */
export function requireTransactions(transactions: number): void {
  requireWhole('transactions', transactions, 0, mostTransactions);
}

function requireCredentials({ token, readOnlyToken, ...legacy }: Credentials): void {
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

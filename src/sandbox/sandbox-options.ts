/** Twice what one page of the check list can hold, so that paging can be tried. */
const mostChecks = 50_000;

export interface ResolvedOptions {
  readonly checks: number;
  readonly seed: number;
  readonly shortLimit: number;
  readonly longLimit: number;
  readonly startedAt: number;
  readonly token: string;
  readonly readOnlyToken: string | undefined;
}

/** Throws a `RangeError` that names the first option that makes no sense. */
export function requireSensible(options: ResolvedOptions): void {
  const { checks, seed, shortLimit, longLimit, startedAt, token, readOnlyToken } = options;
  requireWhole('checks', checks, 0, mostChecks);
  requireWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  requireWhole('shortLimit', shortLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('longLimit', longLimit, 1, Number.MAX_SAFE_INTEGER);
  requireWhole('startedAt', startedAt, 0, Number.MAX_SAFE_INTEGER);
  if (!/^\S+$/.test(token)) throw new RangeError('token must be text without white space');
  if (readOnlyToken === undefined) return;
  if (!/^\S+$/.test(readOnlyToken) || readOnlyToken === token) {
    throw new RangeError('readOnlyToken must be text without white space, and not the token');
  }
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new RangeError(`${name} must be a whole number ${range}, not ${value}`);
}

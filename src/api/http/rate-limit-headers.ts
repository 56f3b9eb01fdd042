import type { RateLimits, WindowName, WindowReport } from '../../domain/rate-limit.ts';

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** API 3.1, section 8. An old client saw the long header with a dot, so both are accepted. */
const windowOfHeader: ReadonlyMap<string, WindowName> = new Map([
  ['req-limit-short', 'short'],
  ['req-limit-long', 'long'],
  ['req-limit.short', 'short'],
  ['req-limit.long', 'long'],
]);

const headerPattern = /^remaining\s*:\s*(-?\d{1,12})\s+time\s+until\s+reset\s*:\s*(\d{1,12})$/i;

/**
 * The windows in the headers of one response, without a check for plausibility. Missing, malformed
 * or contradictory headers are skipped. An overdrawn window has 0 remaining.
 */
export function readRateLimits(headers: ResponseHeaders): RateLimits {
  const limits: { [W in WindowName]?: WindowReport } = {};
  for (const [name, value] of Object.entries(headers)) {
    const window = windowOfHeader.get(name.toLowerCase());
    const report = window === undefined ? undefined : readWindow(value);
    if (window !== undefined && report !== undefined) limits[window] = report;
  }
  return limits;
}

function readWindow(value: string | readonly string[] | undefined): WindowReport | undefined {
  const [text, ...others] = new Set([value ?? []].flat().map((entry) => entry.trim()));
  const match = text === undefined || others.length > 0 ? null : headerPattern.exec(text);
  return match === null
    ? undefined
    : { remaining: Math.max(0, Number(match[1])), resetSeconds: Number(match[2]) };
}

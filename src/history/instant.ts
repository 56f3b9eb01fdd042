const datePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/;
const zonePattern = /(Z|[+-]\d\d:\d\d)$/;

/**
 * UNIX seconds of a date such as `2025-11-01`, of a time such as `2025-11-01T06:00:00Z`, or of UNIX seconds as digits. A time without
 * a zone is in UTC. Undefined for other text.
 */
export function parseInstant(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text);
  if (!datePattern.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const hasZone = !text.includes('T') || zonePattern.test(text);
  const milliseconds = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** `Date` reads February 30 as a day in March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** As `2025-11-01T06:00:00Z`. */
export function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

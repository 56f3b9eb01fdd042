import { z } from 'zod';

/**
 * UNIX seconds of an RFC 3339 date-time with `Z` or an offset. Fractions are cut off: spans that meet
 * still meet afterwards (API 3.1, section 2.11).
 */
export const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Math.floor(Date.parse(text) / 1000))
  .pipe(z.int().positive());

/** RFC 3339, in UTC. */
export function formatDateTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

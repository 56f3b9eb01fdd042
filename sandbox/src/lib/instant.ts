/** Formats UNIX seconds as `2025-11-01T06:00:00Z`. */
export function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

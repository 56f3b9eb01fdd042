const durationUnits = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;
export const durationPattern = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Seconds of a duration in the Prometheus format, such as `10m`, `1h30m` or `500ms`; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null || text === '') return undefined;
  const milliseconds = Object.values(durationUnits).map(
    (seconds, index) => Number(match[index + 1] ?? 0) * Math.round(seconds * 1000),
  );
  return milliseconds.reduce((sum, part) => sum + part) / 1000;
}

/** The shortest text for whole milliseconds; `parseDuration` reads it back. */
export function formatDuration(seconds: number): string {
  let rest = Math.round(seconds * 1000);
  let text = '';
  for (const [unit, size] of Object.entries(durationUnits)) {
    const count = Math.floor(rest / Math.round(size * 1000));
    rest -= count * Math.round(size * 1000);
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}

const byteUnits: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Bytes of a size such as `64MiB`; undefined if invalid. */
export function parseByteSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)(KiB|MiB|GiB)$/.exec(text) ?? [];
  const size = byteUnits[unit];
  return size === undefined ? undefined : Number(digits) * size;
}

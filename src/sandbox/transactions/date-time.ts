const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** UNIX seconds of a date and time of RFC 3339, fractions cut off; `undefined` for any other text. */
export function parseDateTime(text: string): number | undefined {
  const [, date, time, sign = '+', hours = '0', minutes = '0'] = rfc3339.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const local = Date.parse(`${date}T${time}Z`) / 1000;
  // Days a month does not have are carried over by Date, and must not be.
  if (!Number.isFinite(local) || formatDateTime(local) !== `${date}T${time}Z`) return undefined;
  const offset = 3600 * Number(hours) + 60 * Number(minutes);
  return sign === '-' ? local + offset : local - offset;
}

/** As the transaction reports answer it, such as `2021-04-22T06:34:41Z`. */
export function formatDateTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

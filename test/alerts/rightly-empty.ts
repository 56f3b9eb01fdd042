/**
 * Expressions that correctly have no series in the test of all expressions, by a part of their
 * text, with the reason.
 */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/offset (5m|10m|1h|6h)/, 'needs history, and the server has been there for seconds'],
  [/probe_country|country_average/, 'data by country are off by default'],
  [/^absent\(/, 'the exporter is there'],
  [/errors_total.*> 0$/s, 'nothing fails'],
  [/past_read_timestamp/, 'the past has been read'],
  [/\bALERTS\{/, 'the server has no rules'],
  [/increase\(.*> 0\)?$/s, 'the virtual clock stands while the server scrapes, so nothing grows'],
  [/^\(histogram_quantile\(.*>= 0\)/s, 'nothing is counted while the virtual clock stands'],
  [/uptime_exporter_(lease_|database_up)/, 'the exporter shares its accounts with no replica'],
  [/uptime_up\{.*== 0$/, 'the service answers'],
  [/rejected_entries_total/, 'every entry is decoded'],
  [/^1000 \* .*the list is too old/s, 'the account is read'],
  [/^\(count by .*dataset_stale/s, 'every dataset is read'],
  [/^1000 \* .*\[1d:1m\]/s, 'the exporter answers'],
];

export function rightlyEmpty(expression: string): boolean {
  return reasons.some(([pattern]) => pattern.test(expression));
}

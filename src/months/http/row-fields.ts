import type { Field } from '../../http/csv.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { ReportRow } from '../report.ts';

/** The fields of a group, check or transaction in CSV and JSON. */
export const rowFields: readonly Field<ReportRow>[] = [
  ['kind', ({ kind }) => kind],
  ['account', ({ account }) => account],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['groups', ({ groups }) => groups],
  ['tags', ({ tags }) => tags],
  ['items', ({ items }) => items],
  ['availability', ({ availability }) => availability],
  ['objective', ({ objective }) => objective],
  ['met', metOf],
  ['margin_seconds', ({ margin }) => margin && Math.round(margin)],
  ['down_seconds', ({ down }) => down],
  ['outages', ({ outages }) => outages],
  ['longest_outage_seconds', ({ longestOutage }) => longestOutage],
  ['maintenance_seconds', ({ maintenance }) => maintenance],
  ['unknown_seconds', ({ unknown }) => unknown],
  ['unmonitored_seconds', ({ unmonitored }) => unmonitored],
  ['unwatched_seconds', ({ unwatched }) => unwatched],
  ['folded_seconds', ({ folded }) => folded],
  ['known_seconds', ({ known }) => known],
  ['known_by', ({ knownBy }) => knownBy],
  ['created', ({ createdAtSeconds: at }) => at && formatInstant(at)],
  ['removed', ({ removedAtSeconds: at }) => at && formatInstant(at)],
  ['read_afterwards', ({ readAfterwards: read }) => read?.share],
  ['read_at', ({ readAfterwards: read }) => read && formatInstant(read.atSeconds)],
  ['verdict', ({ verdict }) => verdict],
  ['awaited_seconds', ({ awaited }) => awaited],
  ['awaited_items', ({ awaitedItems }) => awaitedItems],
  ['counted_until', ({ countedUntilSeconds: at }) => at && formatInstant(at)],
  ['hostname', ({ hostname }) => hostname],
  ['first_seen', ({ firstSeenSeconds: at }) => at && formatInstant(at)],
];

/** Undefined unless the verdict holds whatever the unknown time was like. */
function metOf({ verdict }: ReportRow): boolean | undefined {
  if (verdict === 'met') return true;
  return verdict === 'missed' || verdict === 'overspent' ? false : undefined;
}

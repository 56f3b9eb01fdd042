import type { Field } from '../../http/csv.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import type { ReportRow } from '../report.ts';

/** The fields of a group, check or transaction in CSV and JSON. */
export const rowFields = ({ iso }: Pick<ZonedTimes, 'iso'>): readonly Field<ReportRow>[] => [
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
  ['created', ({ createdAtSeconds: at }) => at && iso(at)],
  ['removed', ({ removedAtSeconds: at }) => at && iso(at)],
  ['read_afterwards', ({ readAfterwards: read }) => read?.share],
  ['read_at', ({ readAfterwards: read }) => read && iso(read.atSeconds)],
  ['verdict', ({ verdict }) => verdict],
  ['awaited_seconds', ({ awaited }) => awaited],
  ['awaited_items', ({ awaitedItems }) => awaitedItems],
  ['counted_until', ({ countedUntilSeconds: at }) => at && iso(at)],
  ['hostname', ({ hostname }) => hostname],
  ['first_seen', ({ firstSeenSeconds: at }) => at && iso(at)],
];

/** Undefined unless the verdict holds whatever the unknown time was like. */
function metOf({ verdict }: ReportRow): boolean | undefined {
  if (verdict === 'met') return true;
  return verdict === 'missed' || verdict === 'overspent' ? false : undefined;
}

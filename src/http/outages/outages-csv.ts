import { formatInstant } from '../../lib/instant.ts';
import { type CsvForm, csvPieces, type Field } from '../common/csv.ts';
import { type ItemOutage, maintenanceOf } from '../common/outage-list.ts';

const fields: readonly Field<ItemOutage>[] = [
  ['account', ({ item }) => item.account],
  ['kind', ({ item }) => item.kind],
  ['id', ({ item }) => item.id],
  ['name', ({ item }) => item.name],
  ['tags', ({ item }) => item.tags.map(({ name }) => name)],
  ['begin', ({ outage }) => formatInstant(outage.fromSeconds)],
  ['began_before', ({ outage }) => outage.beganBefore === true],
  ['end', ({ outage: { toSeconds: at } }) => at && formatInstant(at)],
  ['ended_after', ({ outage }) => outage.endsLater === true],
  ['seconds', ({ outage, untilSeconds }) => Math.round(untilSeconds - outage.fromSeconds)],
  ['maintenance', ({ item, outage }) => maintenanceOf(item, outage)],
  ['causes', ({ outage }) => outage.causes],
];

/** An ongoing outage has no end; its seconds are those that are known. */
export function outagesCsv(outages: readonly ItemOutage[], form?: CsvForm): Iterable<string> {
  return csvPieces(fields, outages, form);
}

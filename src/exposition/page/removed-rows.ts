import type { LabelValues } from '../../slo/outages.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { outageFamilyNames } from '../catalogue/error-budget-families.ts';
import type { RowFamily } from '../catalogue/family.ts';
import type { LabelledRow, RowLabels } from '../labels/account-labels.ts';
import { commonLabelText, SampleWriter } from '../text-format.ts';

type OutageRow = LabelledRow & Pick<CheckRow, 'outage'>;

/**
 * Returns the outages of removed rows, each set of labels once, without those of listed rows;
 * undefined for a family that does not show them.
 */
export function writtenRemoved<R extends OutageRow>(
  family: RowFamily<R>,
  labels: RowLabels,
  removed: readonly R[],
  /** Ordered by id. */
  listed: readonly R[],
): SampleWriter | undefined {
  if (!outageFamilyNames.has(family.name)) return undefined;
  const taken = new Set<string>();
  for (const { id } of removed) {
    const row = rowOf(id, listed);
    if (row?.outage !== undefined) taken.add(seriesOf(family, row, labels));
  }
  const writer = new SampleWriter(family);
  for (const row of removed.toReversed()) {
    const { promoted } = row.outage ?? {};
    const series = seriesOf(family, row, labels, promoted);
    if (taken.has(series)) continue;
    taken.add(series);
    writer.common = labels.textOf(row, family.labels, promoted);
    family.samples(row, writer);
  }
  return writer;
}

/** Returns a key for the series of a row in a family. An empty label is the same as none. */
function seriesOf<R extends OutageRow>(
  family: RowFamily<R>,
  row: R,
  labels: RowLabels,
  promoted?: LabelValues,
): string {
  const { hostname = '', importance = '' } = row.outage ?? {};
  const own = family.labels.length === 0 ? [] : [importance, hostname];
  const common = Object.entries(labels.of(row, family.labels, promoted))
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [commonLabelText(Object.fromEntries(common)), ...own].join(' ');
}

function rowOf<R extends LabelledRow>(id: number, rows: readonly R[]): R | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.id === id ? rows[low] : undefined;
}

import { present } from '../../lib/present.ts';
import type {
  LabelSources,
  LabelValues,
  Outage,
  Outages,
  RemovedOutage,
} from '../../slo/outages.ts';
import type { CheckRow, ShownOutage, TransactionRow } from '../snapshot.ts';

interface EndedItem {
  readonly id: number;
  readonly labels: LabelSources;
  readonly outage: ShownOutage;
}

/** The shown fields of an outage. `promoted`: the promoted labels of an item that is not listed. */
export function shownOutage(
  { alertLabels, open, overAtSeconds, sinceSeconds, seenAtSeconds, flapping }: Outage,
  promoted?: LabelValues,
): ShownOutage {
  return present({
    ...alertLabels,
    open: open || overAtSeconds !== undefined ? open : undefined,
    sinceSeconds,
    seenAtSeconds,
    flapping: flapping?.active,
    promoted,
  });
}

/** Without items, those of an account that is removed. */
interface EndedOutages {
  readonly former: Outages['former'];
  readonly items?: Outages['items'];
}

/** Rows that have only an outage, with its last labels. */
export function endedCheckRows(
  outages: EndedOutages,
  isListed: (id: number) => boolean = () => true,
): readonly CheckRow[] {
  return endedItems(outages, isListed).map(({ id, labels, outage }) => {
    const { name, tags, hostname, type = 'unknown' } = labels;
    return {
      id,
      name,
      tags,
      type,
      status: 'unknown',
      outage,
      ...present({ hostname }),
    };
  });
}

export function endedTransactionRows(
  outages: EndedOutages,
  isListed: (id: number) => boolean = () => true,
): readonly TransactionRow[] {
  return endedItems(outages, isListed).map(({ id, labels: { name, tags }, outage }) => ({
    id,
    name,
    tags,
    outage,
    status: 'unknown',
    kind: 'unknown',
  }));
}

/** Closed outages of removed items, and known outages of items that are not listed. */
function endedItems(
  { former, items = new Map() }: EndedOutages,
  isListed: (id: number) => boolean,
): EndedItem[] {
  const ended = former.map(({ id, labels, alertLabels, hasFlapped }: RemovedOutage) => ({
    id,
    labels,
    outage: present({
      ...alertLabels,
      open: false,
      flapping: hasFlapped && false,
      promoted: labels.promoted ?? {},
    }),
  }));
  const unlisted = [...items]
    .filter(([id]) => !isListed(id))
    .map(([id, outage]) => {
      const { labels } = outage;
      return { id, labels, outage: shownOutage(outage, labels.promoted ?? {}) };
    });
  return [...ended, ...unlisted].sort((a, b) => a.id - b.id);
}

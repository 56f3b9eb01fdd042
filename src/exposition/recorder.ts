import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client';
import type { HistogramFamily, RecordedFamily } from './catalogue/family.ts';

/** Makes prom-client's recorders from rows of the catalogue. */
export function counter<L extends string>(row: RecordedFamily<L>, registry: Registry): Counter<L> {
  return new Counter(configuration(row, registry));
}

export function gauge<L extends string>(row: RecordedFamily<L>, registry: Registry): Gauge<L> {
  return new Gauge(configuration(row, registry));
}

export function histogram<L extends string>(
  row: HistogramFamily<L>,
  registry: Registry,
): Histogram<L> {
  return new Histogram({ ...configuration(row, registry), buckets: [...row.buckets] });
}

/** Removes the series of an account. */
export async function removeAccount<L extends string>(
  metric: Counter<L> | Gauge<L> | Histogram<L>,
  account: string,
): Promise<void> {
  for (const { labels } of (await metric.get()).values) {
    const { le: _bound, ...own }: Record<string, unknown> = labels;
    if (own.account === account) metric.remove(own as LabelValues<L>);
  }
}

function configuration<L extends string>(row: RecordedFamily<L>, registry: Registry) {
  return { name: row.name, help: row.help, labelNames: row.labels, registers: [registry] };
}

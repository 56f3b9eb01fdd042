import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
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

function configuration<L extends string>(row: RecordedFamily<L>, registry: Registry) {
  return { name: row.name, help: row.help, labelNames: row.labels, registers: [registry] };
}

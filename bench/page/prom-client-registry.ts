import { Gauge, Histogram, Registry } from 'prom-client';
import { accountFamilies } from '../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../src/exposition/catalogue/catalogue.ts';
import {
  allLabels,
  type Family,
  type RowFamily,
  type SampleSink,
} from '../../src/exposition/catalogue/family.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';

type Labels = Readonly<Record<string, string>>;

/** A prom-client registry that holds the same families and series as the page of a snapshot. */
export function promClientRegistry(snapshot: AccountSnapshot): Registry {
  const registry = new Registry();
  const { account, checks = [] } = snapshot;
  const bounds = checks[0]?.results?.responseTime.bounds ?? [];
  fill(registry, accountFamilies, [snapshot], bounds, () => ({ account }));
  fill(registry, checkFamilies, checks, bounds, ({ id, name }) => ({
    account,
    check_id: String(id),
    name,
  }));
  return registry;
}

function fill<R>(
  registry: Registry,
  families: readonly RowFamily<R>[],
  rows: readonly R[],
  bounds: readonly number[],
  commonOf: (row: R) => Labels,
): void {
  for (const family of families) {
    const sinkFor =
      family.type === 'histogram' ? histogram(family, registry, bounds) : gauge(family, registry);
    for (const row of rows) family.samples(row, sinkFor(commonOf(row)));
  }
}

function gauge(family: Family, registry: Registry): (common: Labels) => SampleSink {
  const metric = new Gauge(configuration(family, registry));
  return (common) => ({
    ...nothing,
    emit: (value, ...labelValues) => {
      if (value === undefined) return;
      const own = family.labels.map((label, index) => [label, labelValues[index] ?? '']);
      metric.set({ ...common, ...Object.fromEntries(own) }, Number(value));
    },
  });
}

/** Values at the upper bounds of the buckets: as many lines, if not the same sums. */
function histogram(
  family: Family,
  registry: Registry,
  bounds: readonly number[],
): (common: Labels) => SampleSink {
  const buckets = [...bounds];
  const metric = new Histogram({ ...configuration(family, registry), buckets });
  return (common) => ({
    ...nothing,
    histogram: (totals) => {
      for (const [index, count] of totals?.counts.entries() ?? []) {
        for (let seen = 0; seen < count; seen++) {
          metric.observe(common, totals?.bounds[index] ?? Number.MAX_SAFE_INTEGER);
        }
      }
    },
  });
}

function configuration(family: Family, registry: Registry) {
  const { name, help } = family;
  return { name, help, labelNames: allLabels(family), registers: [registry] };
}

const nothing: SampleSink = { emit: () => {}, histogram: () => {}, summary: () => {} };

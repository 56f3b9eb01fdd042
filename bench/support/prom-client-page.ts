import { Gauge, Registry } from 'prom-client';
import { accountFamilies } from '../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../src/exposition/catalogue/check-families.ts';
import { allLabels, type Emit, type Family } from '../../src/exposition/catalogue/family.ts';
import type { AccountSnapshot } from '../../src/state/account-snapshot.ts';

/** A prom-client registry that holds the same families and series as the page of a snapshot. */
export function promClientRegistry(snapshot: AccountSnapshot): Registry {
  const registry = new Registry();
  const { account, checks = [] } = snapshot;
  for (const family of accountFamilies) {
    family.samples(snapshot, setter(gaugeOf(family, registry), family, { account }));
  }
  for (const family of checkFamilies) {
    const gauge = gaugeOf(family, registry);
    for (const check of checks) {
      const common = { account, check_id: String(check.id), name: check.name };
      family.samples(check, setter(gauge, family, common));
    }
  }
  return registry;
}

function gaugeOf(family: Family, registry: Registry): Gauge {
  return new Gauge({
    name: family.name,
    help: family.help,
    labelNames: allLabels(family),
    registers: [registry],
  });
}

function setter(gauge: Gauge, family: Family, common: Readonly<Record<string, string>>): Emit {
  return (value, ...labelValues) => {
    if (value === undefined) return;
    const own = family.labels.map((label, index) => [label, labelValues[index] ?? '']);
    gauge.set({ ...common, ...Object.fromEntries(own) }, Number(value));
  };
}

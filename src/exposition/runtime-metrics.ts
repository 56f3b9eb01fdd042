import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * Gauges under the name of a counter, which promtool refuses, and the ones they sum up, whose label
 * `type` clashes with a label that targets commonly have.
 */
const leftOut = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
]);

/** Adds prom-client's `process_*` and `nodejs_*` families to a registry. */
export function collectRuntimeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of leftOut) registry.removeSingleMetric(name);
}

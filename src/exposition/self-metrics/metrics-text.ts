import type { Registry } from 'prom-client';
import type { MetricType } from '../catalogue/family.ts';
import type { Format } from '../formats.ts';
import { escapeLabelValue, familyHeader, formatBound, sampleLine } from '../text-format.ts';

/** The form of prom-client's JSON; its type declarations are wrong for `type` and `metricName`. */
interface RegistryMetric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly values: readonly RegistryValue[];
}

interface RegistryValue {
  readonly value: number;
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
}

/** Returns the families of a prom-client registry; families without values are omitted. */
export async function registryText(registry: Registry, format: Format): Promise<string> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly RegistryMetric[];
  return metrics.map((metric) => metricText(metric, format)).join('');
}

function metricText(metric: RegistryMetric, format: Format): string {
  const numbers = metric.values.filter(({ value }) => !Number.isNaN(value));
  if (numbers.length === 0) return '';
  return (
    familyHeader(metric, format) + numbers.map((value) => registryLine(metric, value)).join('')
  );
}

function registryLine(
  metric: RegistryMetric,
  { metricName, labels, value }: RegistryValue,
): string {
  const pairs = Object.entries(labels)
    .filter(([, labelValue]) => labelValue !== undefined)
    .map(([name, labelValue]) => `${name}="${labelText(name, labelValue ?? '')}"`);
  return sampleLine(metricName ?? metric.name, pairs.join(','), value);
}

/** prom-client has the bounds of buckets, and no other label values, as numbers. */
function labelText(name: string, value: string | number): string {
  if (name === 'le' && typeof value === 'number') return formatBound(value);
  return escapeLabelValue(String(value));
}

import {
  type LinkBases,
  type RuleParameters,
  type Threshold,
  thresholdEntries,
} from '../parameters.ts';

/** How the Helm chart computes the text for a marker. */
export interface Marker {
  /** Paths of the parameters, such as `thresholds.slow.seconds`. Numbers are multiplied. */
  readonly of: readonly string[];
  /** A constant factor of the product. */
  readonly times?: number;
  /** 1 minus the product, rounded to 6 digits. */
  readonly complement?: true;
  /** `link`: without final slashes. `address`: unchanged. A list of labels: three forms. */
  readonly as: 'number' | 'text' | 'link' | 'address' | ListForm;
}

/**
 * How a list of labels continues another one: in `on (…)`, as matchers in a query of a text, and as
 * the values of those matchers.
 */
const listForms = {
  labels: (label: string) => `, ${label}`,
  matchers: (label: string) => `,${label}=%q`,
  values: (label: string) => ` $labels.${label}`,
} as const;
type ListForm = keyof typeof listForms;

/** A text in the rules that can come only from one parameter, and the marker that replaces it. */
interface Trace {
  readonly text: string;
  readonly name: string;
  readonly marker: Marker;
}

export interface MarkerProbe {
  readonly parameters: Pick<RuleParameters, 'job' | 'identity' | 'links' | 'thresholds'>;
  readonly traces: readonly Trace[];
}

const linkNames = [
  'runbook',
  'grafana',
  'exporter',
] as const satisfies readonly (keyof LinkBases)[];

/** Parameters whose values occur nowhere else in the rules. Each `round` has different values. */
export function probe(round: number): MarkerProbe {
  const job = `probed-job-${round}`;
  const label = `probed_label_${round}`;
  const links = linkNames.map(
    (name) => [name, `https://${name}.probe-${round}.invalid//`] as const,
  );
  const thresholds = thresholdEntries().map(([group, keys], at) => ({
    group,
    keys: keys.map(([key, threshold], place) => ({
      path: `thresholds.${group}.${key}`,
      key,
      value: probedValue(threshold, 40 * round + 7 * at + place),
    })),
  }));
  return {
    parameters: {
      job,
      identity: [label],
      links: Object.fromEntries(links),
      thresholds: Object.fromEntries(
        thresholds.map(({ group, keys }) => [
          group,
          Object.fromEntries(keys.map(({ key, value }) => [key, value])),
        ]),
      ) as RuleParameters['thresholds'],
    },
    traces: [
      trace(job, { of: ['job'], as: 'text' }),
      ...(Object.keys(listForms) as ListForm[]).map((as) =>
        trace(listForms[as](label), { of: ['identity'], as }),
      ),
      ...links.flatMap(([name, link]) => [
        trace(link, { of: [`links.${name}`], as: 'address' }),
        trace(link.replace(/\/+$/, ''), { of: [`links.${name}`], as: 'link' }),
      ]),
      ...thresholds.flatMap(({ keys }) => keys.flatMap((one) => numberTraces(one, keys))),
    ].sort((a, b) => b.text.length - a.text.length),
  };
}

function probedValue({ unit }: Threshold, seed: number): number {
  if (unit === 'share') return (400_003 + 1009 * seed) / 1_000_000;
  if (unit === 'number') return (3_000_017 + 10_007 * seed) / 1_000_000;
  return 100_003 + 1013 * seed;
}

interface Probed {
  readonly path: string;
  readonly value: number;
}

/** Every way in which the rules use a threshold; a new way is added here. */
function numberTraces({ path, value }: Probed, group: readonly Probed[]): readonly Trace[] {
  const number = trace(`${value}`, { of: [path], as: 'number' });
  return [
    number,
    ...[100, 3600, 86_400].map((times) =>
      trace(`${value * times}`, { of: [path], times, as: 'number' }),
    ),
    trace(`${Number((1 - value).toFixed(6))}`, { of: [path], complement: true, as: 'number' }),
    ...group
      .filter((other) => other.path > path)
      .map((other) => trace(`${value * other.value}`, { of: [path, other.path], as: 'number' })),
  ];
}

function trace(text: string, marker: Marker): Trace {
  const { of, times, complement, as } = marker;
  const product = [...(times === undefined ? [] : [times]), ...of].join(' * ');
  return { text, marker, name: `@{${as} ${complement ? `1 - ${product}` : product}}` };
}

/** Replaces each trace in the text with its marker, and adds the marker to `seen`. */
export function withMarkers(
  text: string,
  { traces }: MarkerProbe,
  seen: Map<string, Marker>,
): string {
  let marked = text;
  for (const { text: found, name, marker } of traces) {
    const literal = found.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const whole = new RegExp(`(?<!\\d|\\d\\.)${literal}(?!\\d|\\.\\d)`, 'g');
    const replaced = marked.replaceAll(whole, name);
    if (replaced !== marked) seen.set(name, marker);
    marked = replaced;
  }
  return marked;
}

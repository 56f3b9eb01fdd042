import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { formatDuration } from '../../config/fields.ts';
import { type AlertOverride, defaultParameters, type RuleParameters } from '../parameters.ts';
import { severities } from '../rule.ts';
import { wireGroups } from '../rule-files.ts';
import { type Marker, type MarkerProbe, probe, withMarkers } from './markers.ts';

/** An alert, or a recording rule. */
const ruleSchema = z.looseObject({
  alert: z.string().optional(),
  record: z.string().optional(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
type Rule = z.infer<typeof ruleSchema>;

const groupsSchema = z.array(
  z.object({ name: z.string(), interval: z.string().optional(), rules: z.array(ruleSchema) }),
);
type Groups = z.infer<typeof groupsSchema>;

/** Values of parameters with few possible values, by path; absent if not set. */
type Choice = Readonly<Record<string, string>>;

/** A rule as the chart has it, with markers. */
interface ChartRule {
  /** The choice that the rule belongs to; absent if it belongs to every choice. */
  readonly when?: Choice;
  readonly rule: Rule;
}

interface ChartGroup {
  readonly name: string;
  readonly interval?: string | undefined;
  readonly rules: readonly ChartRule[];
}

const givenFor = '@{for}';
const givenForSeconds = 7777;

/**
 * The rules for every choice of parameters. The chart's template itself leaves out disabled alerts,
 * sets a given severity or wait, and leaves out annotations whose link is not set. If a choice
 * changes more than that, the rules of the alert are listed for each choice.
 */
export function chartGroups(seen: Map<string, Marker>): readonly ChartGroup[] {
  const probes = [probe(1), probe(2)] as const;
  const rulesOf = (choice: Choice) => markedGroups(choice, probes, seen);
  /** Does not add to `seen`: rules that differ from the standard are built again with `rulesOf`. */
  const rulesAtOneProbe = (choice: Choice) => markedGroups(choice, [probes[0]], new Map());
  const standard = rulesOf({});
  const names = [...new Set(standard.flatMap(({ rules }) => rules.map(nameOf)))];
  const alerts = standard.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
  const options = optionsOf([...new Set(alerts)]);
  const changed = new Map<string, Set<string>>();
  for (const [path, values] of options) {
    for (const value of values) {
      const actual = rulesAtOneProbe({ [path]: value });
      const expected = withChoice(standard, { [path]: value });
      for (const name of names.filter(
        (one) => !isDeepStrictEqual(named(actual, one), named(expected, one)),
      )) {
        changed.set(name, (changed.get(name) ?? new Set()).add(path));
      }
    }
  }
  return standard.map(({ rules, ...group }) => ({
    ...group,
    rules: [...new Set(rules.map(nameOf))].flatMap((name): readonly ChartRule[] => {
      const paths = [...(changed.get(name) ?? [])];
      if (paths.length === 0) return named([{ ...group, rules }], name).map((rule) => ({ rule }));
      const rulesFor = (when: Choice) => named(rulesOf(when), name);
      return branches(paths.sort(byWeight), {}, options, rulesFor).flatMap(({ when, rules: own }) =>
        own.map((rule) => ({ when, rule })),
      );
    }),
  }));
}

/** The values that each path can be given. */
function optionsOf(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ['low_severity', severities.filter((one) => one !== defaultParameters.lowSeverity)],
    ['links.runbook', ['none']],
    ['links.grafana', ['none']],
    ['links.exporter', ['none']],
    ...names.flatMap((name): [string, readonly string[]][] => [
      [`alerts.${name}.enabled`, ['false']],
      [`alerts.${name}.severity`, severities],
      [`alerts.${name}.for`, ['given']],
    ]),
  ]);
}

interface Branch {
  readonly when: Choice;
  readonly rules: readonly Rule[];
}

/** Sorts paths by precedence: `enabled`, then the alert's own severity, then others. */
function byWeight(one: string, other: string): number {
  return weightOf(one) - weightOf(other);
}

function weightOf(path: string): number {
  if (path.endsWith('.enabled')) return 0;
  return path.endsWith('.severity') ? 1 : 2;
}

/**
 * The rules for every combination of values of these paths; '' means that the path is not set. A
 * path that makes no difference is left out of `when`.
 */
function branches(
  paths: readonly string[],
  when: Choice,
  options: ReadonlyMap<string, readonly string[]>,
  rulesFor: (when: Choice) => readonly Rule[],
): readonly Branch[] {
  const [path, ...rest] = paths;
  if (path === undefined) return [{ when, rules: rulesFor(when) }];
  const values = ['', ...(options.get(path) ?? [])];
  const found = values.map((value) =>
    branches(rest, { ...when, [path]: value }, options, rulesFor),
  );
  const withoutPath = found.map((branch) =>
    branch.map(({ when: { [path]: _, ...others }, rules }) => ({ when: others, rules })),
  );
  const [first = []] = withoutPath;
  return withoutPath.every((other) => isDeepStrictEqual(other, first)) ? first : found.flat();
}

function named(groups: Groups, name: string): readonly Rule[] {
  return groups.flatMap(({ rules }) => rules.filter((rule) => nameOf(rule) === name));
}

function nameOf({ alert, record }: Rule): string {
  return alert ?? record ?? '';
}

function markedGroups(
  choice: Choice,
  probes: readonly MarkerProbe[],
  seen: Map<string, Marker>,
): Groups {
  const [one = '', other = one] = probes.map((probed) => {
    const text = JSON.stringify(wireGroups(parametersOf(choice, probed))).replaceAll(
      `"for":"${formatDuration(givenForSeconds)}"`,
      `"for":"${givenFor}"`,
    );
    return withMarkers(text, probed, seen);
  });
  if (one !== other) {
    throw new Error(
      `the rules compute with a parameter as markers.ts does not: ${change(one, other)}`,
    );
  }
  return groupsSchema.parse(JSON.parse(one));
}

/** Where two texts differ, with what is before it in both. */
function change(one: string, other: string): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(Math.max(0, at - 200), at + 40)} / ${other.slice(at, at + 40)}`;
}

function parametersOf(choice: Choice, { parameters }: MarkerProbe): RuleParameters {
  const lowSeverity = severities.find((one) => one === choice.low_severity);
  const links = Object.entries(parameters.links).filter(
    ([name]) => choice[`links.${name}`] !== 'none',
  );
  const alerts: Record<string, AlertOverride> = {};
  for (const [path, value] of Object.entries(choice)) {
    const [, name, key] = path.match(/^alerts\.(\w+)\.(\w+)$/) ?? [];
    if (name === undefined || value === '') continue;
    const severity = severities.find((one) => one === value);
    alerts[name] = {
      ...alerts[name],
      ...(key === 'enabled' && { enabled: false }),
      ...(key === 'severity' && severity !== undefined && { severity }),
      ...(key === 'for' && { forSeconds: givenForSeconds }),
    };
  }
  return {
    ...defaultParameters,
    ...parameters,
    ...(lowSeverity !== undefined && { lowSeverity }),
    links: Object.fromEntries(links),
    alerts,
  };
}

/** Changes the rules in the same way as the chart's template. */
function withChoice(groups: Groups, choice: Choice): Groups {
  return groups.map(({ rules, ...group }) => ({
    ...group,
    rules: rules.flatMap((rule) => {
      if (rule.alert === undefined) return [rule];
      const [enabled, severity, wait] = ['enabled', 'severity', 'for'].map(
        (key) => choice[`alerts.${rule.alert}.${key}`] ?? '',
      );
      if (enabled === 'false') return [];
      const labels = { ...rule.labels, ...(severity !== '' && { severity: severity ?? '' }) };
      const annotations = Object.entries(rule.annotations ?? {}).filter(
        ([, text]) =>
          !Object.keys(choice).some(
            (path) => /^@\{(link|address) ([\w.]+)\}/.exec(text)?.[2] === path,
          ),
      );
      return [
        {
          ...rule,
          ...(wait !== '' && { for: givenFor }),
          ...(Object.keys(labels).length > 0 && { labels }),
          annotations: Object.fromEntries(annotations),
        },
      ];
    }),
  }));
}

import { z } from 'zod';
import {
  choiceField,
  durationPattern,
  field,
  listField,
  parseDuration,
  switchField,
  textField,
} from '../config/fields.ts';
import { ConfigurationError } from '../config/problems.ts';
import { present } from '../lib/present.ts';
import { type FieldMetadata, schemaProblems } from '../lib/schema-problems.ts';
import { YamlSource } from '../lib/yaml-source.ts';
import {
  type AlertOverride,
  defaultParameters,
  type RuleParameters,
  severities,
  type Thresholds,
  thresholdEntries,
} from './parameters.ts';
import { isRuleSet, ruleSetNames, ruleSets } from './rule-sets.ts';
import { alertNames } from './template.ts';

type Words = Omit<FieldMetadata, 'allowed'>;

const aboveZero = { type: 'number', exclusiveMinimum: 0 };

function numberField(
  words: Words,
  allowed: string,
  isAllowed: (value: number) => boolean,
  json: object = aboveZero,
) {
  return field({ ...words, allowed, json }, (value) =>
    typeof value === 'number' && Number.isFinite(value) && isAllowed(value) ? value : undefined,
  );
}

const fieldOfUnit = {
  share: (words: Words) =>
    numberField(words, 'a number above 0, at most 1', (value) => value > 0 && value <= 1, {
      ...aboveZero,
      maximum: 1,
    }),
  number: (words: Words) => numberField(words, 'a number above 0', (value) => value > 0),
  count: (words: Words) =>
    numberField(
      words,
      'a whole number, 1 or more',
      (value) => Number.isInteger(value) && value > 0,
      { type: 'integer', minimum: 1 },
    ),
} as const;

function durationField(words: Words) {
  const json = { type: 'string', minLength: 1, pattern: durationPattern.source };
  return field({ ...words, allowed: 'a duration such as 30s, 10m or 1h30m', json }, (value) => {
    const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  });
}

/** A link is shown in alerts, so it must not contain a user or password before its host. */
function addressField(words: Words) {
  const pattern = /^https?:\/\/[^\s/?#@][^/?#@]*(?:[/?#]|$)/;
  const json = { type: 'string', pattern: pattern.source };
  return field(
    {
      ...words,
      allowed: 'an address that begins with http:// or https://, without user and password',
      json,
    },
    (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  );
}

const labelNamePattern = '^[a-zA-Z_][a-zA-Z0-9_]*$';

const thresholdsSchema = z.strictObject(
  Object.fromEntries(
    thresholdEntries().map(([group, keys]) => [
      group,
      z
        .strictObject(
          Object.fromEntries(
            keys.map(([key, { value, unit, description }]) => [
              key,
              fieldOfUnit[unit]({ description, defaultText: `${value}` }).optional(),
            ]),
          ),
        )
        .optional(),
    ]),
  ),
);

const severity = (description: string, defaultText?: string) =>
  choiceField(present({ description, defaultText, choices: severities }));

/** The schema of a parameter file for `uptime-exporter rules`. */
export const parametersSchema = z.strictObject({
  with: listField({
    description: `Sets of further rules: ${Object.entries(ruleSets)
      .map(([name, about]) => `\`${name}\` (${about})`)
      .join('; ')}.`,
    allowed: `a list of ${ruleSetNames.join(', ')}`,
    defaultText: 'none',
    item: { type: 'string', enum: ruleSetNames },
    isEntry: isRuleSet,
  }).optional(),
  job: textField({
    description: 'The `job_name` of the scrape configuration.',
    defaultText: defaultParameters.job,
  }).optional(),
  identity: listField({
    description:
      'Labels besides `job` and `instance` that tell two exporters apart, where one Prometheus or ruler evaluates the rules for several clusters: `[cluster]`.',
    allowed: 'a list of label names',
    defaultText: 'none',
    item: { type: 'string', pattern: labelNamePattern },
    isEntry: (label): label is string =>
      typeof label === 'string' && new RegExp(labelNamePattern).test(label),
  }).optional(),
  links: z
    .strictObject({
      runbook: addressField({
        description:
          "A page that has the sections of the runbook; by default the exporter's own, `/runbook`.",
      }).optional(),
      grafana: addressField({
        description: 'The root of Grafana, where the dashboards are.',
      }).optional(),
      exporter: addressField({
        description:
          "The root of the exporter's own pages, as a person reaches it; may hold `{{ $labels.instance }}`.",
        defaultText: `\`${defaultParameters.links.exporter}\``,
      }).optional(),
    })
    .optional(),
  low_severity: severity(
    'The severity of UptimeCheckDown and UptimeTransactionFailing for a check that the service calls of low importance.',
    defaultParameters.lowSeverity,
  ).optional(),
  thresholds: thresholdsSchema.optional(),
  alerts: z
    .strictObject(
      Object.fromEntries(
        alertNames.map((alert) => [
          alert,
          z
            .strictObject({
              enabled: switchField({
                description: 'false leaves the alert out.',
                defaultText: 'true',
              }).optional(),
              severity: severity('The severity, instead of its own.').optional(),
              for: durationField({ description: 'The wait, instead of its own.' }).optional(),
            })
            .optional(),
        ]),
      ),
    )
    .optional(),
});

/** Reads parameters. Throws a `ConfigurationError` with one line per problem. */
export function readParameters(fileName: string, text: string): RuleParameters {
  const source = new YamlSource(fileName, text);
  const read = source.read();
  if ('report' in read) throw new ConfigurationError(read.report);
  const value = read.value ?? {};
  const parsed = parametersSchema.safeParse(value);
  if (!parsed.success) {
    const problems = schemaProblems(parametersSchema, value, parsed.error);
    throw new ConfigurationError(source.report(problems));
  }
  const { data } = parsed;
  const { with: sets, job, identity, links, thresholds, alerts, low_severity: lowSeverity } = data;
  return {
    ...defaultParameters,
    ...present({ with: sets, job, identity, links: links && present(links), lowSeverity }),
    thresholds: mergedThresholds(thresholds ?? {}),
    alerts: Object.fromEntries(
      Object.entries(alerts ?? {}).map(([alert, change]): [string, AlertOverride] => {
        const { for: forSeconds, enabled, severity } = change ?? {};
        return [alert, present({ forSeconds, enabled, severity })];
      }),
    ),
  };
}

type Given = {
  readonly [group: string]: { readonly [key: string]: number | undefined } | undefined;
};

function mergedThresholds(given: Given): Thresholds {
  const merged = Object.entries(defaultParameters.thresholds).map(([group, values]) => [
    group,
    { ...values, ...present(given[group] ?? {}) },
  ]);
  return Object.fromEntries(merged) as Thresholds;
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The file is copied beside the code that names it, so it is found in sources and in the build. */
export const templateText = readFileSync(new URL('./rules.yaml', import.meta.url), 'utf8');

const subjects = ['check', 'transaction', 'account', 'group', 'credits', 'exporter'] as const;

export const ruleFileNames = ['outages.yaml', 'checks.yaml', 'exporter.yaml'] as const;
export type RuleFileName = (typeof ruleFileNames)[number];

const alertSchema = z.strictObject({
  /** In CamelCase; docs/runbook.md has a section of this name. */
  alert: z.string(),
  /** Selects the links. */
  about: z.enum(subjects),
  /** A severity or a template that yields one; absent where the expression sets the label. */
  severity: z.string().optional(),
  /** The severity in the words of the documentation, if it depends on the series. */
  severity_words: z.string().optional(),
  for: z.string().optional(),
  keep_firing_for: z.string().optional(),
  expr: z.string(),
  summary: z.string(),
  description: z.string(),
});
export type AlertTemplate = z.infer<typeof alertSchema>;

const recordSchema = z.strictObject({ record: z.string(), expr: z.string() });

/** rules.yaml, with placeholders. */
export const ruleTemplate = z
  .strictObject({
    pages: z.record(z.enum(subjects), z.strictObject({ board: z.string(), view: z.string() })),
    groups: z.array(
      z.strictObject({
        name: z.string(),
        file: z.enum(ruleFileNames),
        interval: z.string().optional(),
        rules: z.array(z.union([alertSchema, recordSchema])),
      }),
    ),
  })
  .parse(parse(templateText));

/** The names of all alerts, in the order of the template. */
export const alertNames: readonly string[] = ruleTemplate.groups.flatMap(({ rules }) =>
  rules.flatMap((rule) => ('alert' in rule ? [rule.alert] : [])),
);

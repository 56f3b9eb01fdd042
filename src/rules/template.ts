import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ruleSetNames } from './rule-sets.ts';

/** The file is copied beside the code that names it, so it is found in sources and in the build. */
export const templateText = readFileSync(new URL('./rules.yaml', import.meta.url), 'utf8');

const subjects = [
  'check',
  'transaction',
  'account',
  'group',
  'credits',
  'exporter',
  'exporters',
] as const;

const alertSchema = z.strictObject({
  /** In CamelCase; docs/runbook.md has a section of this name. */
  alert: z.string(),
  /** Selects the links. */
  about: z.enum(subjects),
  severity: z.string(),
  for: z.string().optional(),
  keep_firing_for: z.string().optional(),
  expr: z.string(),
  summary: z.string(),
  description: z.string(),
});
export type AlertTemplate = z.infer<typeof alertSchema>;

const recordSchema = z.strictObject({
  record: z.string(),
  /** What its values mean; a comment in the rule files. */
  means: z.string(),
  expr: z.string(),
});

/** rules.yaml, with placeholders. */
export const ruleTemplate = z
  .strictObject({
    pages: z.record(z.enum(subjects), z.strictObject({ board: z.string(), view: z.string() })),
    groups: z.array(
      z.strictObject({
        name: z.string(),
        set: z.enum(ruleSetNames).optional(),
        interval: z.string().optional(),
        rules: z.array(z.union([alertSchema, recordSchema])),
      }),
    ),
  })
  .parse(parse(templateText));

/** The names of all alerts, in the order of the template. */
export const alertNames: readonly string[] = [
  ...new Set(
    ruleTemplate.groups.flatMap(({ rules }) =>
      rules.flatMap((rule) => ('alert' in rule ? [rule.alert] : [])),
    ),
  ),
];

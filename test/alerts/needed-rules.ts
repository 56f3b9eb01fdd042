import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');

const ruleSchema = z.looseObject({ alert: z.string().optional(), record: z.string().optional() });
const fileSchema = z.object({ groups: z.array(z.looseObject({ rules: z.array(ruleSchema) })) });
export type RuleFile = z.infer<typeof fileSchema>;
type DeliveredRule = z.infer<typeof ruleSchema>;

/** A delivered rule file. */
export function readRuleFile(path: string): RuleFile {
  return fileSchema.parse(parse(readFileSync(join(root, path), 'utf8')));
}

/**
 * A rule file with the rules whose names begin so, and those that they read. The others take most
 * of the time of promtool.
 */
export function neededRules(files: readonly RuleFile[], names: readonly string[]): string {
  const groups = files.flatMap((file) => file.groups);
  const all = groups.flatMap(({ rules }) => rules);
  const needed = new Set(all.filter((rule) => names.some((name) => nameOf(rule).startsWith(name))));
  // The set grows during the iteration.
  for (const rule of needed) {
    // Its texts have queries, too.
    const text = JSON.stringify(rule);
    for (const other of all) if (isReadBy(text, other)) needed.add(other);
  }
  return stringify({
    groups: groups
      .map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }))
      .filter(({ rules }) => rules.length > 0),
  });
}

function isReadBy(text: string, { record }: DeliveredRule): boolean {
  return record !== undefined && text.includes(record);
}

function nameOf({ alert, record = '' }: DeliveredRule): string {
  return alert ?? record;
}

import { z } from 'zod';
import { present } from '../lib/present.ts';
import { defaultMaxGroups, type SloPolicy, sloPolicy } from '../slo/groups.ts';
import { defaultObjectiveRatio } from '../slo/objectives.ts';
import { field, textField, wholeNumberField } from './fields.ts';
import { idList, matchesPattern, patternList, selectsSomething } from './filter.ts';

const ratioField = (description: string, defaultRatio?: number) =>
  field(
    {
      description,
      allowed: 'a number above 0 and below 1, such as 0.9995: 1 would leave no error budget',
      ...(defaultRatio !== undefined && { defaultText: `${defaultRatio}` }),
      json: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    },
    (value) => (typeof value === 'number' && value > 0 && value < 1 ? value : undefined),
  );

const ids = idList('By their ids.');
const names = patternList('By their names; `*` matches any text.');
const tags = patternList('By their tags; `*` matches any text. One matching tag is enough.');

const ruleSchema = z
  .strictObject({
    ratio: ratioField('Target share of time up.'),
    ids,
    names,
    tags,
    groups: patternList('Groups, by their names; `*` matches any text.'),
  })
  .superRefine(selectsSomething(['ids', 'names', 'tags', 'groups']))
  .meta({ description: 'An objective of some checks, transactions or groups.' });

export const objectivesSchema = z
  .strictObject({
    default: ratioField(
      'Target share of time up for checks, transactions and groups without another objective.',
      defaultObjectiveRatio,
    ).optional(),
    rules: z
      .array(ruleSchema)
      .meta({
        description:
          'Rules that match by id or name come first, in order; then tags such as `slo-99-95` and `uptime_slo_9995`; then rules that match by tag, in order.',
      })
      .optional(),
  })
  .meta({ description: 'Service level objectives, the same in all accounts.' });

const namedGroupSchema = z
  .strictObject({
    name: textField({ description: 'Value of the label `group`.' }),
    ids,
    names,
    tags,
  })
  .superRefine(selectsSomething(['ids', 'names', 'tags']))
  .meta({ description: 'A group of checks.' });

export const groupsSchema = z
  .strictObject({
    from_tags: patternList(
      'Each matching tag makes a group of the checks with that tag: with `team:*`, `team:payments` is one.',
    ),
    named: z.array(namedGroupSchema).meta({ description: 'Groups by name.' }).optional(),
    max_groups: wholeNumberField({
      description:
        'Groups of one account; further ones are left out. Named groups, those of a rule of objectives, and those with a check that is down come first.',
      defaultText: `${defaultMaxGroups}`,
      min: 1,
      max: 10_000,
    }).optional(),
  })
  .meta({
    description: 'Groups of checks with error budgets of their own. Without it there are none.',
  });

/** Returns the policy that the objectives and groups of the file describe. */
export function sloPolicyOf(
  objectives: z.output<typeof objectivesSchema> = {},
  groups: z.output<typeof groupsSchema> = {},
): SloPolicy {
  const { default: defaultRatio, rules = [] } = objectives;
  const { from_tags: fromTags, named = [], max_groups: maxGroups } = groups;
  const settings = {
    objectives: present({ rules, defaultRatio }),
    groups: present({ named, fromTags, maxGroups }),
  };
  return sloPolicy(settings, matchesPattern);
}

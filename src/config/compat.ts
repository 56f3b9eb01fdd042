import { z } from 'zod';
import {
  type CompatOptions,
  defaultCompatOptions,
  defaultTagFormat,
  extraLabelName,
} from '../exposition/compat/compat-options.ts';
import { orUndefined } from '../lib/or-undefined.ts';
import { reportSentence } from '../lib/schema-problems.ts';
import { durationField, field, formatDuration, isText, listField, switchField } from './fields.ts';

const daySeconds = 86_400;

const sloField = field(
  {
    description:
      'SLO in percent of the checks without a tag such as `uptime_slo_995` (`-default-uptime-slo` there).',
    allowed: 'a number of percent from 0 to 100, such as 99.9',
    defaultText: `${defaultCompatOptions.defaultSlo}`,
    json: { type: 'number', minimum: 0, maximum: 100 },
  },
  (value) => (typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined),
);

const formatField = field(
  {
    description: 'Form of a tag with key and value (`-tag-format` there). Needs `parser_tags`.',
    allowed: 'a regular expression with two groups, for key and value',
    defaultText: defaultTagFormat,
    json: { type: 'string', minLength: 1 },
  },
  (value) => (typeof value === 'string' ? orUndefined(() => formatOf(value)) : undefined),
);

/** Throws a `SyntaxError`. */
function formatOf(text: string): RegExp | undefined {
  const groups = new RegExp(`${text}|`).exec('')?.length ?? 0;
  return groups > 2 ? new RegExp(text) : undefined;
}

const allowedExtraLabels =
  'a list of keys of tags that make labels of their own, such as [region, team]';

const extraLabelsField = listField({
  description:
    'Keys of tags that become labels of one series a check: `region` gives `label_region` (`-tag-extra-labels` there). Needs `parser_tags`.',
  allowed: allowedExtraLabels,
  item: { type: 'string', minLength: 1 },
  isEntry: isText,
}).refine((keys) => new Set(keys.map(extraLabelName)).size === keys.length, {
  error: allowedExtraLabels,
});

export const compatSchema = z
  .strictObject({
    default_uptime_slo: sloField.optional(),
    outage_check_period: durationField({
      description:
        'Period over which outages are counted (`-outage-check-period` there). States are kept for 35 days.',
      defaultText: formatDuration(defaultCompatOptions.outagePeriodSeconds),
      min: daySeconds,
      max: 30 * daySeconds,
    }).optional(),
    parser_tags: switchField({
      description: 'Show `pingdom_tags_label` instead of `pingdom_tags` (`-parser-tags` there).',
      defaultText: 'false',
    }).optional(),
    tag_format: formatField.optional(),
    tag_extra_labels: extraLabelsField.optional(),
  })
  .superRefine(({ parser_tags, tag_format, tag_extra_labels }, context) => {
    if (parser_tags === true) return;
    const message = 'has no effect alone; set parser_tags: true as well';
    if (tag_format !== undefined) reportSentence(context, ['tag_format'], message);
    if (tag_extra_labels !== undefined) reportSentence(context, ['tag_extra_labels'], message);
  })
  .meta({
    description:
      'Scrapes with the metric names of other exporters, `/metrics?compat=NAME`: what is set with flags there.',
  });

/** Returns the options of the file, with the defaults of the other exporters. */
export function compatOptionsOf(compat: z.output<typeof compatSchema> = {}): CompatOptions {
  const {
    default_uptime_slo: defaultSlo = defaultCompatOptions.defaultSlo,
    outage_check_period: outagePeriodSeconds = defaultCompatOptions.outagePeriodSeconds,
    parser_tags: parsesTags = false,
    tag_format: format = new RegExp(defaultTagFormat),
    tag_extra_labels: extraLabels = [],
  } = compat;
  return {
    defaultSlo,
    outagePeriodSeconds,
    ...(parsesTags && { parsedTags: { format, extraLabels } }),
  };
}

import { z } from 'zod';
import {
  isPromotable,
  LabelPolicy,
  LabelPolicyError,
  labelName,
  type Promotion,
} from '../exposition/labels/label-policy.ts';
import { present } from '../lib/present.ts';
import { formatPath } from '../lib/schema-problems.ts';
import type { Problem } from '../lib/yaml-source.ts';
import { isText, textField } from './fields.ts';
import { mapping, rawList } from './raw.ts';

const promotionSchema = z
  .strictObject({
    from: textField({
      description:
        '`hostname`, `check_type`, or the key of tags and `*`: with `team:*` the tag `team:payments` gives the value `payments`.',
      allowed: 'hostname, check_type, or the key of tags and *, such as "team:*"',
    }),
    as: textField({
      description: 'Name of the label; derived from `from` by default.',
      allowed: 'letters, digits and _, with no digit at the beginning',
      isAllowed: isText,
      json: { type: 'string', pattern: labelName.source },
    }).optional(),
  })
  .meta({ description: 'A label to promote.' });

export const labelsSchema = z
  .strictObject({
    promote: z
      .array(promotionSchema)
      .meta({
        description: 'Labels to add to the series of checks and, from tags, of transactions.',
      })
      .optional(),
  })
  .meta({
    description: 'Labels made from properties and tags, the same for all accounts.',
  });

/** Returns one problem for each label that cannot be promoted. */
export function labelProblems(configuration: unknown): Problem[] {
  const promote = rawList(mapping(mapping(configuration).labels).promote);
  const accepted: Promotion[] = [];
  return promote.flatMap((raw, index): Problem[] => {
    const { from, as } = mapping(raw);
    if (typeof from !== 'string' || from === '') return [];
    const promotion = present({ from, as: typeof as === 'string' ? as : undefined });
    const reason = rejectionOf([...accepted, promotion]);
    if (reason === undefined) {
      accepted.push(promotion);
      return [];
    }
    const part = promotion.as !== undefined && isPromotable(from) ? 'as' : 'from';
    const path = ['labels', 'promote', index, part];
    return [{ path, at: 'value', message: `${formatPath(path)}: ${reason}` }];
  });
}

function rejectionOf(promote: readonly Promotion[]): string | undefined {
  try {
    new LabelPolicy({ promote });
    return undefined;
  } catch (error) {
    if (!(error instanceof LabelPolicyError)) throw error;
    return error.message.replace(/^promoted labels: /, '');
  }
}

import { z } from 'zod';
import { defaultMaxValuesPerLabel } from '../exposition/labels/label-policy.ts';
import { textField, wholeNumberField } from './fields.ts';

const promotionSchema = z
  .strictObject({
    from: textField(
      {
        description:
          '`hostname`, `check_type`, or the key of tags and `*`: with `team:*` the tag `team:payments` gives the value `payments`.',
      },
      'hostname, check_type, or the key of tags and *, such as "team:*"',
    ),
    as: textField({ description: 'Name of the label; made from `from` without it.' }).optional(),
  })
  .meta({ description: 'A label to promote.' });

export const labelsSchema = z
  .strictObject({
    promote: z
      .array(promotionSchema)
      .meta({ description: 'Labels that every series of a check bears besides its own.' })
      .optional(),
    max_values: wholeNumberField(
      {
        description:
          'Distinct values of a promoted label in one account; further ones are left empty.',
        preset: `${defaultMaxValuesPerLabel}`,
      },
      1,
    ).optional(),
  })
  .meta({
    description: 'Labels made from properties and tags. They are the same in all accounts.',
  });

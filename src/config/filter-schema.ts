import { z } from 'zod';
import { isText, isWholeNumber, listField } from './fields.ts';

const patterns = (description: string) =>
  listField(
    { description, allowed: 'a list of patterns in quotes, such as ["shop-*"]' },
    isText,
  ).optional();

const selection = (description: string) =>
  z
    .strictObject({
      ids: listField(
        { description: 'By their ids.', allowed: 'a list of ids, such as [85975, 161748]' },
        (value): value is number => isWholeNumber(value) && value > 0,
      ).optional(),
      names: patterns('By their names; `*` stands for any text.'),
      tags: patterns('By their tags; `*` stands for any text. One tag that fits is enough.'),
    })
    .meta({ description });

export const filterSchema = z
  .strictObject({
    include: selection('Only these: one id, name or tag that fits is enough.').optional(),
    exclude: selection('Not these, even if they are included.').optional(),
  })
  .meta({
    description:
      'Which checks and transactions are watched. The others cost no request and have no series; counters of those left out later are dropped.',
  });

import { z } from 'zod';
import { redactValue } from '../lib/redact-value.ts';
import { formatPath } from '../lib/schema-problems.ts';
import type { Problem } from '../lib/yaml-source.ts';
import { isText, textField, wholeNumberField } from './fields.ts';
import { mapping, rawList } from './raw.ts';

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

const pageSchema = z
  .strictObject({
    name: textField({
      description: 'The page is `/status/NAME`.',
      allowed: 'up to 64 lower-case letters, digits and "-", such as shop',
      isAllowed: (text) => namePattern.test(text),
      areWords: true,
      json: { type: 'string', pattern: namePattern.source },
    }),
    title: textField({ description: 'Heading of the page.' }),
    account: textField({ description: 'Name of the account that has the group.' }),
    group: textField({
      description: 'Group whose checks are the services of the page; nobody sees its name.',
    }),
    checks: z
      .array(
        z
          .strictObject({
            id: wholeNumberField({ description: 'Id of a check of the group.', min: 1 }),
            name: textField({ description: 'Public name of the check.' }),
          })
          .meta({ description: 'A public name.' }),
      )
      .meta({
        description:
          'Public names of checks, in the order of the page. The others follow, and are called `Service 3` and so on.',
      })
      .optional(),
  })
  .meta({ description: 'A page.' });

export const pagesSchema = z.array(pageSchema).meta({
  description:
    'Pages that everyone may read, without a password. See [public pages](public-pages.md).',
});

/** A page that everyone may read. */
export interface PageSettings {
  readonly name: string;
  readonly title: string;
  readonly account: string;
  readonly group: string;
  readonly checks?: readonly { readonly id: number; readonly name: string }[];
}

/** Two pages have one name, or a page is for an account that does not exist. */
export function pageProblems(configuration: unknown): Problem[] {
  const { pages, accounts } = mapping(configuration);
  const names = namesIn(pages);
  const accountNames = namesIn(accounts);
  return rawList(pages).flatMap((page, place): Problem[] => {
    const { name, account } = mapping(page);
    const problem = (key: string, value: unknown, reason: string): Problem => {
      const path = ['pages', place, key];
      const message = `${formatPath(path)}: found ${redactValue(value)}; ${reason}`;
      return { path, at: 'value', message };
    };
    const isTwice = isText(name) && names.indexOf(name) !== place;
    const isUnknown = isText(account) && !accountNames.includes(account);
    return [
      ...(isTwice ? [problem('name', name, 'another page has this name')] : []),
      ...(isUnknown ? [problem('account', account, 'there is no account of this name')] : []),
    ];
  });
}

/** The names in a list of mappings, at their places. */
function namesIn(list: unknown): readonly unknown[] {
  return rawList(list).map((entry) => mapping(entry).name);
}

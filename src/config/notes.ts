import { isDeepStrictEqual } from 'node:util';
import { didYouMean } from '../lib/nearest-word.ts';
import { isShort } from '../lib/secret.ts';
import type { SloPolicy } from '../slo/groups.ts';
import type { AccountSettings } from './account.ts';
import type { Configuration } from './configuration.ts';
import { notRead } from './credentials.ts';

/** What is allowed in a configuration, and is probably not meant. Without secrets. */
export function configurationNotes({ accounts, slo }: Configuration): string[] {
  return [...accounts.flatMap(accountNotes), ...groupNotes(slo)];
}

function accountNotes(
  account: AccountSettings,
  place: number,
  all: readonly AccountSettings[],
): string[] {
  const same = all.slice(0, place).find((other) => isSame(account, other));
  return [
    ...(same === undefined
      ? []
      : [
          `the accounts ${quoted(same.name)} and ${quoted(account.name)} have the same address and secrets: both spend one request budget`,
        ]),
    ...(account.authentication.secrets.some(isShort)
      ? [
          `a secret of the account ${quoted(account.name)} is shorter than 8 characters: it is removed from the log only where it stands alone`,
        ]
      : []),
  ];
}

function isSame(a: AccountSettings, b: AccountSettings): boolean {
  return (
    a.baseUrl === b.baseUrl &&
    a.authentication.secrets.every((secret) => secret.reveal() !== notRead) &&
    isDeepStrictEqual(a.authentication.headers(), b.authentication.headers())
  );
}

function groupNotes({ objectives, groups }: SloPolicy): string[] {
  const { names } = groups;
  const twice = new Set(names.filter((name, place) => names.indexOf(name) !== place));
  const unknown = objectives.groupPatterns.filter((pattern) => !groups.mayHave(pattern));
  return [
    ...[...twice].map((name) => `two groups are named ${quoted(name)}: they are one group`),
    ...unknown.map(
      (pattern) =>
        `a rule of objectives is for the group ${quoted(pattern)}, which does not exist${didYouMean(pattern, names)}`,
    ),
  ];
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

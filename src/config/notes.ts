import { didYouMean } from '../lib/nearest-word.ts';
import { isShort } from '../lib/secret.ts';
import type { SloPolicy } from '../slo/groups.ts';
import type { Configuration } from './configuration.ts';

/** What is allowed in a configuration, and is probably not meant. Without secrets. */
export function configurationNotes({ accounts, slo }: Configuration): string[] {
  const short = accounts.filter(({ authentication }) => authentication.secrets.some(isShort));
  return [
    ...short.map(
      ({ name }) =>
        `a secret of the account ${quoted(name)} is shorter than 8 characters: it is removed from the log only where it stands alone`,
    ),
    ...groupNotes(slo),
  ];
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

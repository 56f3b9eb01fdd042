import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import { didYouMean } from '../lib/nearest-word.ts';
import { isShort } from '../lib/secret.ts';
import type { SloPolicy } from '../slo/groups.ts';
import type { AccountSettings } from './account.ts';
import type { Configuration } from './configuration.ts';
import type { PageSettings } from './pages.ts';
import { type Serving, servingKeys } from './serving.ts';

/** Returns what is allowed in a configuration, but probably a mistake. No note has a secret. */
export function configurationNotes(configuration: Configuration): string[] {
  const { accounts, slo, pages = [], serving } = configuration;
  const short = accounts.filter(({ authentication }) => authentication.secrets.some(isShort));
  return [
    ...short.map(
      ({ name }) =>
        `a secret of the account ${quoted(name)} is shorter than 8 characters: it is removed from the log only where it stands alone`,
    ),
    ...accounts.flatMap(datasetNotes),
    ...storageNotes(serving),
    ...groupNotes(slo),
    ...pages.flatMap((page) => pageNotes(page, slo)),
  ];
}

/** The settings of datasets that the version of the account does not have. */
function datasetNotes({ name, version, datasets = {} }: AccountSettings): string[] {
  const isSet = (dataset: DatasetName) => Object.keys(datasets[dataset] ?? {}).length > 0;
  return datasetNames
    .filter((dataset) => isSet(dataset) && !datasetPolicies[dataset].versions.includes(version))
    .map(
      (dataset) =>
        `the settings of the dataset ${dataset} of the account ${quoted(name)} have no effect: API ${version} does not have it`,
    );
}

const databaseSettings = [
  'storagePasswordFile',
  'storageCaFile',
  'leaseTtlSeconds',
  'synchronousStandby',
] as const satisfies readonly (keyof Serving)[];

/** The URL of the database may also be a flag. */
function storageNotes(serving: Partial<Serving>): string[] {
  if (serving.storageUrl !== undefined) return [];
  return databaseSettings
    .filter((setting) => serving[setting] !== undefined)
    .map(
      (setting) =>
        `${servingKeys[setting]} is for a database: it has no effect without storage.url or --storage.url`,
    );
}

function groupNotes({ objectives, groups }: SloPolicy): string[] {
  const { names } = groups;
  const unknown = objectives.groupPatterns.filter((pattern) => !groups.mayHave(pattern));
  return [
    ...repeated(names).map((name) => `two groups are named ${quoted(name)}: they are one group`),
    ...unknown.map(
      (pattern) =>
        `a rule of objectives is for the group ${quoted(pattern)}, which does not exist${didYouMean(pattern, names)}`,
    ),
  ];
}

/** Readers of a public page cannot tell two services of one name apart. */
function pageNotes({ name: page, group, checks = [] }: PageSettings, { groups }: SloPolicy) {
  const names = checks.map(({ name }) => name);
  const ids = checks.map(({ id }) => id);
  return [
    ...repeated(names).map(
      (name) => `two checks of the page ${quoted(page)} have the public name ${quoted(name)}`,
    ),
    ...repeated(ids).map((id) => `the page ${quoted(page)} names the check ${id} twice`),
    ...(groups.mayHave(group)
      ? []
      : [
          `the page ${quoted(page)} is for the group ${quoted(group)}, which does not exist${didYouMean(group, groups.names)}`,
        ]),
  ];
}

function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))];
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

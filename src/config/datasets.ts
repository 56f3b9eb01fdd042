import { z } from 'zod';
import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import { reportSentence } from '../lib/schema-problems.ts';
import { durationField, formatDuration, switchField } from './fields.ts';

const minFloorSeconds = 60;
const maxFloorSeconds = 365 * 86_400;

function floor(name: DatasetName) {
  return durationField({
    description: 'Minimum time between two refreshes.',
    defaultText: formatDuration(datasetPolicies[name].floorSeconds),
    min: minFloorSeconds,
    max: maxFloorSeconds,
  }).optional();
}

const maxStaleness = durationField({
  description:
    'Older data are withdrawn; counters stay. Must not be below `floor`, and should be longer than the planned interval.',
  defaultText: '3 × the planned interval, at least 5m',
  min: minFloorSeconds,
  max: maxFloorSeconds,
}).optional();

interface Pace {
  readonly floor?: number | undefined;
  readonly max_staleness?: number | undefined;
}

/** Data that go stale before they may be refreshed again would be absent most of the time. */
function requireStalenessAboveFloor(name: DatasetName) {
  return ({ floor, max_staleness: maxStaleness }: Pace, context: z.RefinementCtx): void => {
    const minimum = floor ?? datasetPolicies[name].floorSeconds;
    if (maxStaleness === undefined || maxStaleness >= minimum) return;
    const floorText = formatDuration(minimum);
    const message = `found ${formatDuration(maxStaleness)}; must be ${floorText} or more, because floor is ${floorText}`;
    reportSentence(context, ['max_staleness'], message);
  };
}

function datasetMetadata(name: DatasetName) {
  const apiVersions = datasetPolicies[name].versions.join(', ');
  return { description: `The dataset \`${name}\` (API ${apiVersions}).`, apiVersions };
}

function datasetSchema(name: DatasetName) {
  return z
    .strictObject({
      enabled: switchField({
        description: 'Whether the dataset is fetched.',
        defaultText: `${datasetPolicies[name].enabledByDefault}`,
      }).optional(),
      floor: floor(name),
      max_staleness: maxStaleness,
    })
    .superRefine(requireStalenessAboveFloor(name))
    .meta(datasetMetadata(name))
    .optional();
}

/** The check list cannot be disabled, because all other datasets depend on it. */
const checksSchema = z
  .strictObject({ floor: floor('checks'), max_staleness: maxStaleness })
  .superRefine(requireStalenessAboveFloor('checks'))
  .meta(datasetMetadata('checks'))
  .optional();

type DatasetSchema = ReturnType<typeof datasetSchema>;

const datasetSchemas = Object.fromEntries(
  datasetNames.map((name) => [name, name === 'checks' ? checksSchema : datasetSchema(name)]),
) as { readonly [D in DatasetName]: DatasetSchema };

export const datasetsSchema = z
  .strictObject(datasetSchemas)
  .meta({ description: 'Which data are fetched, how often at most, and how long they are shown.' });

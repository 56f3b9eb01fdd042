import { z } from 'zod';
import { datasetPolicies } from '../datasets/policies.ts';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { durationField, switchField } from './fields.ts';
import { formatDuration } from './quantities.ts';

const minFloorSeconds = 60;
const maxFloorSeconds = 365 * 86_400;

function floor(name: DatasetName) {
  return durationField(
    {
      description: 'Not refreshed more often than this.',
      defaultText: formatDuration(datasetPolicies[name].floorSeconds),
    },
    minFloorSeconds,
    maxFloorSeconds,
  ).optional();
}

const maxStaleness = durationField(
  {
    description:
      'Data older than this are withdrawn; counters stay. Not less than the floor. Give it more time than the refresh takes at the planned interval.',
    defaultText: '3 × the planned interval, at least 5m',
  },
  minFloorSeconds,
  maxFloorSeconds,
).optional();

interface Pace {
  readonly floor?: number | undefined;
  readonly max_staleness?: number | undefined;
}

/** Data that are withdrawn before they may be refreshed would be absent most of the time. */
function requireStalenessAboveFloor(name: DatasetName) {
  return ({ floor, max_staleness: longest }: Pace, context: z.RefinementCtx): void => {
    const least = floor ?? datasetPolicies[name].floorSeconds;
    if (longest === undefined || longest >= least) return;
    const message = `its floor, ${formatDuration(least)}, or more`;
    context.addIssue({ code: 'custom', path: ['max_staleness'], message });
  };
}

function datasetSchema(name: DatasetName) {
  return z
    .strictObject({
      enabled: switchField({
        description: 'Whether it is fetched at all.',
        defaultText: `${datasetPolicies[name].enabledByDefault}`,
      }).optional(),
      floor: floor(name),
      max_staleness: maxStaleness,
    })
    .superRefine(requireStalenessAboveFloor(name))
    .optional();
}

/** Everything else is known through the check list, so that it cannot be switched off. */
const checksSchema = z
  .strictObject({ floor: floor('checks'), max_staleness: maxStaleness })
  .superRefine(requireStalenessAboveFloor('checks'))
  .optional();

type DatasetSchema = ReturnType<typeof datasetSchema>;

const datasetSchemas = Object.fromEntries(
  datasetNames.map((name) => [name, name === 'checks' ? checksSchema : datasetSchema(name)]),
) as { readonly [D in DatasetName]: DatasetSchema };

export const datasetsSchema = z
  .strictObject(datasetSchemas)
  .meta({ description: 'What is fetched, how often at most, and for how long it is shown.' });

import { z } from 'zod';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { datasetPolicies } from '../schedule/datasets.ts';
import { durationText } from './duration.ts';
import { durationField, switchField } from './fields.ts';

const shortestFloorSeconds = 60;
const longestFloorSeconds = 365 * 86_400;

/** Nothing on the page comes from the reference, so that it is never fetched. */
export const configurableDatasets = datasetNames.filter(
  (name): name is Exclude<DatasetName, 'reference'> => name !== 'reference',
);

type ConfigurableDataset = (typeof configurableDatasets)[number];

function floor(name: ConfigurableDataset) {
  return durationField(
    {
      description: 'Not refreshed more often than this.',
      preset: durationText(datasetPolicies[name].floorSeconds),
    },
    shortestFloorSeconds,
    longestFloorSeconds,
  ).optional();
}

function datasetSchema(name: ConfigurableDataset) {
  return z
    .strictObject({
      enabled: switchField({
        description: 'Whether it is fetched at all.',
        preset: `${datasetPolicies[name].enabledByDefault}`,
      }).optional(),
      floor: floor(name),
    })
    .optional();
}

/** Everything else is known through the check list, so that it cannot be switched off. */
const checksSchema = z.strictObject({ floor: floor('checks') }).optional();

type DatasetSchema = ReturnType<typeof datasetSchema>;

const datasetSchemas = Object.fromEntries(
  configurableDatasets.map((name) => [
    name,
    name === 'checks' ? checksSchema : datasetSchema(name),
  ]),
) as { readonly [D in ConfigurableDataset]: DatasetSchema };

export const datasetsSchema = z
  .strictObject(datasetSchemas)
  .meta({ description: 'What is fetched, and how often at most.' });

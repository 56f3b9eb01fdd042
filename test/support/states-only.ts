import { type DatasetName, datasetNames } from '../../src/domain/dataset.ts';
import type { DatasetChoices } from '../../src/schedule/demand.ts';

const ofStates: readonly DatasetName[] = [
  ...(['checks', 'transactions', 'outages', 'history', 'maintenance'] as const),
];

/** For tests of states alone: most requests of an exporter are about other data. */
export const statesOnly: DatasetChoices = Object.fromEntries(
  datasetNames.filter((name) => !ofStates.includes(name)).map((name) => [name, { enabled: false }]),
);

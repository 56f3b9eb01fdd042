import { type DatasetName, datasetNames } from '../../src/domain/dataset.ts';
import type { DatasetChoices } from '../../src/schedule/demand.ts';

const ofStates: readonly DatasetName[] = [
  ...(['checks', 'transactions', 'outages', 'history', 'maintenance'] as const),
];

function only(names: readonly DatasetName[]): DatasetChoices {
  return Object.fromEntries(
    datasetNames.filter((name) => !names.includes(name)).map((name) => [name, { enabled: false }]),
  );
}

/** For tests of states alone: most requests of an exporter are about other data. */
export const statesOnly = only(ofStates);

/** For tests that compare every counter of an account with the service, and causes of outages. */
export const countersOnly = only([...ofStates, 'results', 'actions', 'analyses']);

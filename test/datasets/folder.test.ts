import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountDataRefreshes } from '../../src/datasets/account-data.ts';
import { checkDetailRefreshes } from '../../src/datasets/check-details.ts';
import type { RefreshContext } from '../../src/datasets/refresh-context.ts';
import { datasetNames } from '../../src/domain/dataset.ts';

const folder = join(import.meta.dirname, '..', '..', 'src', 'datasets');
/** Parts that all datasets share, and the tables of datasets that need only one row. */
const shared = ['index.ts', 'refresh-context.ts', 'account-data.ts', 'check-details.ts'];

test('every dataset has one file of its name or one row of a table, and no file is left over', () => {
  // Creating the tables reads no data.
  const context = {} as RefreshContext;
  const rows = { ...accountDataRefreshes(context), ...checkDetailRefreshes(context) };
  const files = readdirSync(folder).filter((name) => !shared.includes(name));
  const expected = datasetNames
    .filter((name) => !Object.hasOwn(rows, name))
    .map((name) => `${name.replaceAll('_', '-')}.ts`);
  expect(files.sort()).toEqual(expected.sort());
});

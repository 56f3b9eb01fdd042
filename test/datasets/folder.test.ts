import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasetNames } from '../../src/domain/dataset.ts';

const folder = join(import.meta.dirname, '..', '..', 'src', 'datasets');
/** What all datasets share: what a refresh is given, and the table of refreshes. */
const shared = ['index.ts', 'refresh-context.ts'];

test('every dataset has one file of its name, and no file is left over', () => {
  const files = readdirSync(folder).filter((name) => !shared.includes(name));
  const expected = datasetNames.map((name) => `${name.replaceAll('_', '-')}.ts`);
  expect(files.sort()).toEqual(expected.sort());
});

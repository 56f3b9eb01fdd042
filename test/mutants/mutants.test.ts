import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';

test('the text that a mutant replaces occurs once in its file', () => {
  const root = join(import.meta.dirname, '..', '..');
  const unclear = mutants.filter(
    ({ file, original }) => readFileSync(join(root, file), 'utf8').split(original).length !== 2,
  );
  expect(unclear).toEqual([]);
});

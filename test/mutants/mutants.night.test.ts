import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { type Mutant, mutants } from './mutants.ts';
import { MutatedCopy } from './mutated-copy.ts';

const copy = new MutatedCopy();

const isTried = ({ needs }: Mutant) => needs === undefined || !missing(needs);
const tried = mutants.filter(isTried);

describe('the tests beside the code', () => {
  test('pass without a mutant', () => {
    const files = [...new Set(tried.flatMap(({ tests }) => tests))];
    const { status, output } = copy.run(files);
    expect(status, output).toBe(0);
    expect(output, 'every file was found').toMatch(
      new RegExp(`Test Files +${files.length} passed`),
    );
  });

  const named = tried.map((mutant) => [mutant.breaks, mutant] as const);
  test.each(named)('notice that %s', (_, { file, original, mutated, tests }) => {
    const mirror = dirname(file).replace(/^src/, 'test');
    expect(new Set(tests.map((name) => dirname(name)))).toEqual(new Set([mirror]));
    const source = copy.read(file);
    const occurrences = source.split(original).length - 1;
    expect(occurrences, `${file} contains "${original}" so many times`).toBe(1);
    const text = source.replace(original, () => mutated);
    const { status, output } = copy.runWith(file, text, tests);
    expect(status, `no test has failed:\n${output}`).toBe(1);
    expect(output, 'a test has failed, not the run').toMatch(/Tests .*\d+ failed/);
  });
});

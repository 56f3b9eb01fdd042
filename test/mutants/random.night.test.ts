import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MutatedCopy, root } from './mutated-copy.ts';
import { drawMutants } from './random-mutants.ts';

/** FOLDER=f, SEED=n and COUNT=m choose others. */
const { FOLDER, SEED = '1', COUNT = '20' } = process.env;
const [seed, count] = [Number(SEED), Number(COUNT)];
/** Some mutants change nothing that can be observed, or only how soon something is done. */
const mostSurvivors = count / 4;

const copy = new MutatedCopy();
/** What only they notice has no test that a developer runs. */
const slow = ['**/*.long.test.ts', '**/*.night.test.ts'];
const core = ['budget', 'domain', 'schedule', 'slo', 'state', 'store', 'tally'];
const folders = FOLDER === undefined ? core.map((name) => `src/${name}`) : [FOLDER];

test(`of ${count} random mutants at least ${count - mostSurvivors} are noticed`, () => {
  const files = folders.flatMap((folder) =>
    folder.endsWith('.ts')
      ? [folder]
      : readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => `${folder}/${name}`),
  );
  expect(files, `files of ${folders.join(', ')}`).not.toEqual([]);
  const sources = new Map(
    files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const survivors = drawMutants(sources, count, seed).filter(({ file, text }) => {
    const beside = dirname(file).replace(/^src/, 'test');
    const [room = ''] = /^test\/\w+/.exec(beside) ?? [];
    // The quickest tests first.
    return [...new Set([beside, room, 'test/life'])].every(
      (tests) => copy.runWith(file, text, [`${tests}/`], slow).status === 0,
    );
  });
  const listed = survivors.map(({ file, line, change }) => `${file}:${line}: ${change}`);
  console.log(`seed ${seed}, not noticed:\n${listed.join('\n')}`);
  expect(listed.length, listed.join('\n')).toBeLessThanOrEqual(mostSurvivors);
});

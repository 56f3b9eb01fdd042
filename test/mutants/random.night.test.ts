import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MutatedCopy, root } from './mutated-copy.ts';
import { drawMutants } from './random-mutants.ts';

/** SEED=n draws others. */
const seed = Number(process.env.SEED ?? 1);
const count = 20;
/** Some mutants change nothing that can be observed, or only how soon something is done. */
const mostSurvivors = count / 4;

const copy = new MutatedCopy();
const folders = ['budget', 'domain', 'schedule', 'slo', 'state', 'store', 'tally'];

test(`of ${count} random mutants at least ${count - mostSurvivors} are noticed`, () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${folder}/${name}`),
  );
  const sources = new Map(
    files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const survivors = drawMutants(sources, count, seed).filter(({ file, text }) => {
    const beside = copy.runWith(file, text, [dirname(file).replace(/^src/, 'test')]);
    return beside.status === 0 && copy.runWith(file, text, ['test/life']).status === 0;
  });
  const listed = survivors.map(({ file, line, change }) => `${file}:${line}: ${change}`);
  console.log(`seed ${seed}, not noticed:\n${listed.join('\n')}`);
  expect(listed.length, listed.join('\n')).toBeLessThanOrEqual(mostSurvivors);
});

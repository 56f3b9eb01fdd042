import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MutatedCopy, root } from './mutated-copy.ts';
import { drawMutants } from './random-mutants.ts';

/** FOLDER=f, SEED=n and COUNT=m choose others. */
const { FOLDER, SEED = '1', COUNT = '20' } = process.env;
const [seed, count] = [Number(SEED), Number(COUNT)];
/** Some mutants change nothing that can be observed, or only how soon something is done. */
const mostSurvivors = 1 / 4;

const copy = new MutatedCopy();
/** What only they notice has no test that a developer runs. */
const slow = ['**/*.long.test.ts', '**/*.night.test.ts'];
const core = ['budget', 'domain', 'schedule', 'slo', 'state', 'store', 'tally'];
const folders = FOLDER === undefined ? core.map((name) => `src/${name}`) : [FOLDER];

test(`of ${count} random mutants at most a quarter is not noticed`, () => {
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
  /** Tests that fail without a mutant would notice each one. */
  const pass = new Set<string>();
  const requirePass = (tests: string) => {
    if (pass.has(tests)) return;
    const { status, output } = copy.run([tests], slow);
    expect(status, output).toBe(0);
    pass.add(tests);
  };
  const drawn = drawMutants(sources, count, seed);
  const survivors = drawn.filter(({ file, line, change, text }) => {
    const beside = dirname(file).replace(/^src/, 'test');
    const [room = ''] = /^test\/\w+/.exec(beside) ?? [];
    // The quickest tests first.
    const witness = [...new Set([beside, room, 'test/life'])]
      .map((tests) => `${tests}/`)
      .find((tests) => copy.runWith(file, text, [tests], slow).status !== 0);
    if (witness !== undefined) requirePass(witness);
    process.stdout.write(`${witness ?? 'NOT NOTICED'}  ${file}:${line}  ${change}\n`);
    return witness === undefined;
  });
  const listed = survivors.map(({ file, line, change }) => `\n${file}:${line}  ${change}`);
  const summary =
    `seed ${seed}: ${drawn.length - listed.length} of ${drawn.length} mutants of ${folders.join(', ')} were noticed` +
    (listed.length > 0 ? `, all but${listed.join('')}` : '');
  process.stdout.write(`\n${summary}\n`);
  expect(listed.length, summary).toBeLessThanOrEqual(drawn.length * mostSurvivors);
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { type Mutant, mutants } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));

beforeAll(() => {
  for (const name of ['package.json', 'tsconfig.json', 'src', 'test']) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The project's own configuration would first build each mutant. Its timeouts let a busy machine
  // finish a test. Each mutant leaves all other modules as they are cached.
  const config = {
    ...{ isolate: false, pool: 'threads', testTimeout: 60_000 },
    expect: { poll: { timeout: 20_000 } },
    experimental: { fsModuleCache: true, fsModuleCachePath: join(copy, 'cache') },
  };
  writeFileSync(
    join(copy, 'vitest.config.ts'),
    `export default { test: ${JSON.stringify(config)} };\n`,
  );
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs test files in the copy. `status` is 0 when all tests passed. */
function runTests(files: readonly string[]) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { TEST_EXTENT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--maxWorkers', '1', ...files],
    { cwd: copy, env: { ...env, NO_COLOR: '1' }, encoding: 'utf8' },
  );
  return { status, output: `${stdout}${stderr}` };
}

const isTried = ({ needs }: Mutant) => needs === undefined || !missing(needs);
const tried = mutants.filter(isTried);

describe('the tests beside the code', () => {
  test('pass without a mutant', () => {
    const files = [...new Set(tried.flatMap(({ tests }) => tests))];
    const { status, output } = runTests(files);
    expect(status, output).toBe(0);
    expect(output, 'every file was found').toMatch(
      new RegExp(`Test Files +${files.length} passed`),
    );
  });

  const named = tried.map((mutant) => [mutant.breaks, mutant] as const);
  test.each(named)('notice that %s', (_, { file, original, mutated, tests }) => {
    const mirror = dirname(file).replace(/^src/, 'test');
    expect(new Set(tests.map((name) => dirname(name)))).toEqual(new Set([mirror]));
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    const occurrences = source.split(original).length - 1;
    expect(occurrences, `${file} contains "${original}" so many times`).toBe(1);
    writeFileSync(
      path,
      source.replace(original, () => mutated),
    );
    try {
      const { status, output } = runTests(tests);
      expect(status, `no test has failed:\n${output}`).toBe(1);
      expect(output, 'a test has failed, not the run').toMatch(/Tests .*\d+ failed/);
    } finally {
      writeFileSync(path, source);
    }
  });
});

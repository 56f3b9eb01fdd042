import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const root = join(import.meta.dirname, '..', '..');

/** A fault may be a loop without end. */
const longestMilliseconds = 15 * 60_000;

/** Patterns of test files that are left out. */
type Left = readonly string[];

export interface TestRun {
  /** 0 when all tests passed; null when they did not end. */
  readonly status: number | null;
  readonly output: string;
}

/** A copy of the source and the tests, whose files may be changed. It is removed after all tests. */
export class MutatedCopy {
  readonly #path = mkdtempSync(join(tmpdir(), 'mutants-'));

  constructor() {
    const copy = this.#path;
    afterAll(() => rmSync(copy, { recursive: true, force: true }));
    for (const name of ['package.json', 'tsconfig.json', 'src', 'sandbox', 'test']) {
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    // The project's own configuration would first build each mutant. Its timeouts let a busy machine
    // finish a test. Each mutant leaves all other modules as they are cached.
    const config = {
      isolate: false,
      pool: 'threads',
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      experimental: { fsModuleCache: true, fsModuleCachePath: join(copy, 'cache') },
    };
    writeFileSync(
      join(copy, 'vitest.config.ts'),
      `export default { test: ${JSON.stringify(config)} };\n`,
    );
  }

  read(file: string): string {
    return readFileSync(join(this.#path, file), 'utf8');
  }

  /** Runs test files, or folders of them, while a file has another text. */
  runWith(file: string, text: string, tests: readonly string[], left: Left = []): TestRun {
    const source = this.read(file);
    writeFileSync(join(this.#path, file), text);
    try {
      return this.run(tests, left);
    } finally {
      writeFileSync(join(this.#path, file), source);
    }
  }

  run(tests: readonly string[], left: Left = []): TestRun {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const { TEST_EXTENT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...[vitest, 'run', '--passWithNoTests', '--bail=1', '--maxWorkers=1', ...tests],
        ...left.map((pattern) => `--exclude=${pattern}`),
      ],
      {
        ...{ cwd: this.#path, env: { ...env, NO_COLOR: '1' }, encoding: 'utf8' },
        ...{ timeout: longestMilliseconds, killSignal: 'SIGKILL' },
      },
    );
    return { status, output: `${stdout}${stderr}` };
  }
}

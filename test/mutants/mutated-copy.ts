import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

/** Linked, as nothing in them changes with the source, or not needed. */
const notCopied: readonly string[] = ['.git', 'node_modules', 'dist', 'dist-bench', 'bin', 'data'];

/** A copy of the project whose files may be changed. It is removed after all tests. */
export class MutatedCopy {
  readonly #path = mkdtempSync(join(tmpdir(), 'mutants-'));

  constructor() {
    const copy = this.#path;
    afterAll(() => rmSync(copy, { recursive: true, force: true }));
    for (const name of readdirSync(root)) {
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !notCopied.includes(basename(path)),
      });
    }
    for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(copy, name));
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
    this.#write(file, text);
    try {
      return this.run(tests, left);
    } finally {
      this.#write(file, source);
    }
  }

  /** Threads run the compiled source. */
  #write(file: string, text: string): void {
    const [cwd, built] = [this.#path, file.replace(/^src/, 'build').replace(/ts$/, 'js')];
    writeFileSync(join(cwd, file), text);
    if (!existsSync(join(cwd, built))) return;
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const project = ['-p', 'tsconfig.build.json', '--noCheck'];
    execFileSync(process.execPath, [compiler, ...project], { cwd });
  }

  run(tests: readonly string[], left: Left = []): TestRun {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    // The seed of the mutants is not that of the tests.
    const { TEST_EXTENT: _, SEED: __, ...env } = process.env;
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

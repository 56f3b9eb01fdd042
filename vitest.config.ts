import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { onConsoleLog, SkippedTests } from './test/support/skipped.ts';

const timeouts = {
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
/** Any single test file runs in a fresh clone. */
const globalSetup = 'test/support/build-once.ts';
const longTests = 'test/**/*.long.test.ts';
/** Packages have tests of their own. */
const dependencies = '**/node_modules/**';
/**
 * They play fewer cases in `npm test`, and all of them in the long tests: see
 * test/support/extent.ts.
 */
const shortened = readdirSync(join(import.meta.dirname, 'test'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map((file) => join('test', file))
  .filter((file) => readFileSync(file, 'utf8').includes("support/extent.ts'"));
/** Builds that write into `dist`: one after another. */
const builds = ['test/deploy/image.long.test.ts', 'test/deploy/package.long.test.ts'];
/** Servers in real time, mostly idle, whose processor no other test may take. */
const chains = 'test/alerts/chain*.long.test.ts';

/** Faults that the checkers of replicas must notice: many minutes in real time, so on demand. */
const planted = 'test/replicas/planted.long.test.ts';
/** Several exporters and databases in real time, which lose their leases on a busy machine. */
const replicas = ['demo', 'life', 'takeover'].map((name) => `test/replicas/${name}.long.test.ts`);

/** The tests of whole programs take longest. */
const longest = /\/test\/(?:alerts|dashboards|deploy|system)\//;

/**
 * The longest files first, so that none of them runs alone at the end; on a new clone nothing but
 * their folders tells.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * project.config.sequence.groupOrder + (longest.test(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/** `npm test` runs `tests`; proofs that take minutes are run by `npm run test:long`. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    onConsoleLog,
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      new SkippedTests(),
    ],
    projects: [
      {
        test: {
          name: 'tests',
          globalSetup,
          include: ['test/**/*.test.ts'],
          // The CI runs the long tests too, which play the shortened ones whole.
          exclude: [longTests, ...(process.env.CI === 'true' ? shortened : []), dependencies],
          // No module of src or of test/support has state, so that files may share what they
          // import.
          isolate: false,
          // Those that wait for a server or another process leave a processor idle.
          maxWorkers: availableParallelism() + 1,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          globalSetup,
          include: [longTests, ...shortened],
          env: { TEST_EXTENT: 'whole' },
          // As in `tests`: a file takes seconds less when another has loaded the modules.
          isolate: false,
          exclude: [...builds, ...replicas, planted, chains, dependencies],
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'builds',
          globalSetup,
          include: builds,
          sequence: { groupOrder: 2 },
          fileParallelism: false,
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'chains',
          globalSetup,
          include: [chains],
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'replicas',
          globalSetup,
          include: replicas,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'planted',
          globalSetup,
          include: [planted],
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});

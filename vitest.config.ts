import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patienceMilliseconds } from './test/support/patience.ts';
import { onConsoleLog, SkippedTests } from './test/support/skipped.ts';

const timeouts = {
  testTimeout: patienceMilliseconds,
  hookTimeout: patienceMilliseconds,
  expect: { poll: { timeout: patienceMilliseconds } },
};
/** For single tests that take minutes on an idle machine. */
const longTimeouts = { ...timeouts, testTimeout: 3_600_000, hookTimeout: 3_600_000 };
/** Any single test file runs in a fresh clone. */
const globalSetup = 'test/support/build-once.ts';
const longTests = '**/*.long.test.ts';
const nightTests = 'test/**/*.night.test.ts';
/** Packages have tests of their own. */
const dependencies = '**/node_modules/**';
/**
 * They play fewer cases for each change, and all of them at night: see test/support/extent.ts.
 */
const shortened = readdirSync(join(import.meta.dirname, 'test'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.test.ts') && !/node_modules|\.night\./.test(file))
  .map((file) => join('test', file))
  .filter((file) => readFileSync(file, 'utf8').includes("support/extent.ts'"));
const besideEachOther = {
  globalSetup,
  // No module of src or of test/support has state, so that files may share what they import.
  isolate: false,
  // Those that wait for a server or another process leave a processor idle.
  maxWorkers: availableParallelism() + 1,
};
/** They run whole programs: exporters, Prometheus, Grafana's code, Helm. */
const ofPrograms = 'test/{alerts,dashboards,deploy,system}/**/*.test.ts';

/** Their tests take longest, in `tests` and in `long`. */
const longest =
  /\/test\/(?:store|life|cli|backfill|replicas|config|months)\/|\/(?:browser|chain|truth|package)\./;

/**
 * The longest files first, so that none of them runs alone at the end; on a new clone only
 * their folders and names tell.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * project.config.sequence.groupOrder + (longest.test(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * `npm test` runs `tests`, `npm run test:long` whole programs, disks, browsers and proofs that take
 * minutes, and `npm run test:night` what takes an hour together, or fails at random for minutes.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    onConsoleLog,
    // A file that has not changed since the last run is not compiled again.
    experimental: { fsModuleCache: true },
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      new SkippedTests(),
    ],
    projects: [
      {
        test: {
          name: 'tests',
          include: ['{test,sandbox/test}/**/*.test.ts'],
          exclude: [ofPrograms, longTests, nightTests, dependencies],
          ...besideEachOther,
          // They wait for nothing, so a third one would only load all modules once more.
          maxWorkers: availableParallelism(),
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          include: [longTests, ofPrograms],
          exclude: [nightTests, dependencies],
          ...besideEachOther,
          sequence: { groupOrder: 1 },
          ...longTimeouts,
        },
      },
      {
        test: {
          name: 'whole',
          include: shortened,
          env: { TEST_EXTENT: 'whole' },
          exclude: [dependencies],
          ...besideEachOther,
          sequence: { groupOrder: 1 },
          ...longTimeouts,
        },
      },
      {
        test: {
          name: 'night',
          globalSetup,
          include: [nightTests],
          exclude: [dependencies],
          env: { TEST_EXTENT: 'whole' },
          // Images are built in `dist`, and replicas lose their leases on a busy machine.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...longTimeouts,
        },
      },
    ],
  },
});

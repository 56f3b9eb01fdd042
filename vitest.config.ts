import { defineConfig } from 'vitest/config';

const timeouts = {
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
const longTests = 'test/**/*.long.test.ts';
/** Packages have tests of their own. */
const dependencies = '**/node_modules/**';
/** Builds that write into `dist`: one after another. */
const builds = ['test/deploy/image.long.test.ts', 'test/deploy/package.long.test.ts'];
/** Servers in real time, mostly idle, whose processor no other test may take. */
const chains = 'test/alerts/chain*.long.test.ts';

/** `npm test` runs `tests`; proofs that take minutes are run by `npm run test:long`. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [longTests, dependencies],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          include: [longTests],
          exclude: [...builds, chains, dependencies],
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'builds',
          include: builds,
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'chains',
          include: [chains],
          sequence: { groupOrder: 2 },
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        // Measurements that need what the tests have: `npm run bench:receiver`.
        test: { name: 'bench', include: ['test/**/*.bench.ts'], testTimeout: 3_600_000 },
      },
    ],
  },
});

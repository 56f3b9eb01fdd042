import { defineConfig } from 'vitest/config';

const timeouts = {
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
const longTests = 'test/**/*.long.test.ts';
/** Real servers in real time: nothing else may take their processor. */
const liveTests = 'test/**/chain*.test.ts';

/** `npm test` runs `tests`; proofs that take minutes are run by `npm run test:long`. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [longTests, liveTests],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          include: [longTests],
          exclude: [liveTests],
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'live',
          include: [liveTests],
          sequence: { groupOrder: 1 },
          ...timeouts,
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});

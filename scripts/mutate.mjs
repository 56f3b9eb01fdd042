import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

// Plants faults in a copy of the source, which the tests beside the code must notice: the named ones
// of test/mutants/mutants.ts, and operators changed at random. Lists those that nothing notices.
//
//   npm run mutate                                           all named ones, and 20 at random
//   npm run mutate -- --folder src/slo --seed 7 --count 40   at random, in one folder or file

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
  },
});
const { folder, seed, count } = values;
const tests = folder === undefined ? 'test/mutants' : 'test/mutants/random.night.test.ts';
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'whole', '--project', 'night', tests],
  {
    stdio: 'inherit',
    env: { ...process.env, SEED: seed, COUNT: count, ...(folder && { FOLDER: folder }) },
  },
);
process.exitCode = status ?? 1;

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Plants faults in a copy of the source, which the tests beside the code must notice: the named ones
// of test/mutants/mutants.ts, and operators changed at random. Lists those that nothing notices.
// The source itself is never changed; Ctrl-C ends all tests and removes the copy.
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
const copies = mkdtempSync(join(tmpdir(), 'mutate-'));
const run = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'night', tests],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of processes, because one that waits for the tests of a mutant hears no signal.
    detached: true,
    env: {
      ...process.env,
      ...{ TMPDIR: copies, SEED: seed, COUNT: count },
      ...(folder && { FOLDER: folder }),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.kill(-run.pid, 'SIGKILL'));
}
run.on('exit', (status) => {
  rmSync(copies, { recursive: true, force: true });
  process.exitCode = status ?? 1;
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { casesOf } from '../support/extent.ts';
import { missing, toolPath } from '../support/tools.ts';

const run = promisify(execFile);
const model = join(import.meta.dirname, '..', '..', 'docs', 'replicas', 'ownership.pml');
const isWithoutSpin = missing('spin') || missing('gcc');
const bounds = ['TOKENS=3', 'VALUES=1', 'FAILURES=1'];
/** One more than ttl + margin + 1, in ticks of the model. */
const progress = ['PROGRESS', 'LONGEST=6', 'VALUES=1', 'FAILURES=1'];

const failures: Record<string, readonly string[]> = {
  'the clocks are unequal': [...bounds, 'UNEQUAL'],
  'a process stops': [...bounds, 'STOPS'],
  'a machine sleeps': [...bounds, 'SLEEPS'],
  'a process is killed': [...bounds, 'KILLS'],
  'a connection is cut': [...bounds, 'CUTS'],
  'the lease is handed over': [...bounds, 'RELEASES'],
  'the primary fails over': [...bounds, 'FAILOVER'],
  'a dump is restored': [...bounds, 'RESTORE'],
};

const faults: Record<string, readonly string[]> = {
  NO_FENCE: ['TOKENS=4', 'VALUES=1', 'FAILURES=1', 'STOPS'],
  NO_CHAIN: [...bounds, 'CUTS'],
  NUMBERS: [...bounds, 'RESTORE'],
  SERVE_AFTER_EXPIRY: [...bounds],
  MONOTONIC_CLOCK_ONLY: [...bounds, 'SLEEPS'],
  TAKE_WITHOUT_WAITING: [...bounds],
  SHOW_WHAT_WAS_READ: ['TOKENS=3', 'VALUES=1', 'FAILURES=2', 'CUTS', 'FAILOVER'],
  RELEASE_BEFORE_STOPPING: [...bounds, 'RELEASES'],
  TAKE_AT_ONCE_AFTER_RESTORE: [...bounds, 'RELEASES', 'RESTORE'],
  OBSERVE_TOKENS_ONLY: [...bounds, 'RESTORE'],
  ASYNCHRONOUS: [...bounds, 'FAILOVER'],
  LOCKED_FOR_EVER: [...progress, 'STOPS'],
};

/** The slowest searches are those without a fault. */
const failing = casesOf(Object.entries(failures), 4);
const planted = casesOf(Object.entries(faults), 7);

describe.skipIf(isWithoutSpin)('the model of ownership', () => {
  test.each(failing)('keeps its laws when %s', async (_, switches) => {
    expect(await search(switches)).toEqual({ isComplete: true });
  });

  test('serves the account again after a failure of any kind', async () => {
    const kinds = ['STOPS', 'SLEEPS', 'KILLS', 'CUTS', 'FAILOVER'];
    expect(await search([...progress, ...kinds])).toEqual({ isComplete: true });
  });

  test.each(planted)('does not hide the planted fault %s', async (fault, switches) => {
    expect(await search([fault, ...switches])).toEqual({
      isComplete: false,
      violated: expect.stringContaining('assertion violated'),
    });
  });
});

/** Searches all states of the model, up to the first violation. */
async function search(
  switches: readonly string[],
): Promise<{ readonly isComplete: boolean; readonly violated?: string }> {
  const cwd = await temporaryFolder();
  await run(toolPath('spin'), ['-a', ...switches.map((name) => `-D${name}`), model], { cwd });
  // Processes that may stop (`provided`) rule out partial order reduction.
  const options = ['-O1', '-DSAFETY', '-DNOREDUCE', '-DCOLLAPSE'];
  await run(toolPath('gcc'), [...options, '-o', 'pan', 'pan.c'], { cwd });
  const { stdout } = await run(join(cwd, 'pan'), ['-m100000', '-w22'], { cwd });
  const violated = /^pan:1: .*$/m.exec(stdout)?.[0];
  const isComplete = /errors: 0$/m.test(stdout) && !/max search depth too small/.test(stdout);
  return violated === undefined ? { isComplete } : { isComplete, violated };
}

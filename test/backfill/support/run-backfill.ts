import { backfill } from '../../../src/backfill/command/backfill.ts';
import type { BackfillFlags } from '../../../src/backfill/command/flags.ts';
import { SighupHandler, type Terminal } from '../../../src/cli/terminal.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import type { Random } from '../../../src/lib/random.ts';

export interface RunOptions {
  /** The present time for the command, in UNIX milliseconds; by default the real time. */
  readonly now?: number;
  readonly random?: Random;
  /** The pauses of the command; by default real ones. */
  readonly sleep?: Clock['sleep'];
  /** Resolves when the user interrupts the command; by default never. */
  readonly interrupted?: Promise<string>;
}

/**
 * Runs `uptime-exporter backfill` in this process. Resolves with its output, or rejects with its
 * error message.
 */
export async function runBackfill(
  flags: Partial<BackfillFlags>,
  { now, random, sleep = systemClock.sleep, interrupted = new Promise(() => {}) }: RunOptions = {},
): Promise<string> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const terminal: Terminal = {
    argv: [],
    env: {},
    stdout: { write },
    stderr: { write },
    untilStopped: () => interrupted,
    sighup: new SighupHandler({ pid: 0, on: () => {}, off: () => {}, kill: () => {} }),
  };
  const clock = { ...systemClock, sleep, now: () => now ?? systemClock.now() };
  const defaults = { exporter: '', from: '', label: [], only: [], promtool: 'promtool' };
  await backfill(terminal, { ...defaults, ...flags }, clock, random);
  return output;
}

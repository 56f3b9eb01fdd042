import { EventEmitter } from 'node:events';
import { run } from '../../src/cli/run.ts';
import { SighupHandler } from '../../src/cli/terminal.ts';

interface Outcome {
  readonly exitCode: number;
  /** Both streams, in the order of the writes. */
  readonly output: string;
}

/**
 * Runs the command line in this process, for commands that end by themselves. A command that would
 * run until a signal gets one at once. `startExporter` runs it like a user, in a separate process.
 */
export async function runCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  let output = '';
  const sink = { write: (text: string) => (output += text) };
  const signals = Object.assign(new EventEmitter(), { pid: 0, kill: () => undefined });
  const exitCode = await run({
    argv,
    env,
    stdout: sink,
    stderr: sink,
    untilStopped: async () => 'SIGTERM',
    sighup: new SighupHandler(signals),
  });
  return { exitCode, output };
}

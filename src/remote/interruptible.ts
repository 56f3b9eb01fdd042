import { setMaxListeners } from 'node:events';
import { UsageError } from '../config/problems.ts';
import type { Terminal } from './terminal.ts';

class Interrupted extends Error {}

/**
 * Runs a command until a signal asks the process to stop, which aborts the signal of the command.
 * Then it rejects with a `UsageError`.
 */
export async function interruptible(
  terminal: Pick<Terminal, 'untilStopped'>,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  // Every request listens to the signal until its response is garbage-collected.
  setMaxListeners(0, stopping.signal);
  void terminal.untilStopped().then((signal) => stopping.abort(new Interrupted(signal)));
  try {
    await run(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new UsageError('interrupted; run the same command again to continue');
  }
}

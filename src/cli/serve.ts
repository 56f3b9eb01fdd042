import { readFileSync } from 'node:fs';
import { systemClock } from '../lib/clock.ts';
import { accountFromEnvironment } from './environment.ts';
import { exporterProcess, processLog, scrubberOf } from './exporter-process.ts';
import type { ServeFlags } from './flags.ts';
import { openStorage } from './storage.ts';
import type { Terminal } from './terminal.ts';

/** Serves the account of the environment until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<void> {
  const account = accountFromEnvironment(terminal.env, (path) => readFileSync(path, 'utf8'));
  const accounts = [account];
  const scrubber = scrubberOf(accounts);
  const log = processLog(terminal, flags, scrubber);
  const stopped = terminal.untilStopped();
  const store = await openStorage(flags.storagePath, { clock: systemClock, log });
  const exporter = exporterProcess({ flags, accounts, store, log, scrubber });
  try {
    await exporter.start();
  } catch (error) {
    await exporter.stop();
    throw error;
  }
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await exporter.stop();
  log.info({}, 'stopped');
}

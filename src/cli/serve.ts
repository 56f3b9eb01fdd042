import { readFileSync } from 'node:fs';
import { accountFromEnvironment } from './environment.ts';
import { exporterProcess } from './exporter-process.ts';
import type { ServingFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** Serves the account of the environment until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServingFlags): Promise<void> {
  const account = accountFromEnvironment(terminal.env, (path) => readFileSync(path, 'utf8'));
  const { exporter, log } = exporterProcess(terminal, flags, [account]);
  const stopped = terminal.untilStopped();
  await exporter.start();
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await exporter.stop();
  log.info({}, 'stopped');
}

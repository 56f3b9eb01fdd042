import { defaultServing } from '../config/serving.ts';
import { systemClock } from '../lib/clock.ts';
import { tellAccounts } from './check-config.ts';
import { configured } from './configured.ts';
import { exporterProcess, processLog, scrubberOf } from './exporter-process.ts';
import type { ServeFlags } from './flags.ts';
import { openStorage } from './storage.ts';
import type { Terminal } from './terminal.ts';
import { webSecurity } from './web-security.ts';

/** Serves the accounts of the file or of the environment until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<void> {
  const configuration = configured(terminal.env, flags.configFile);
  const { accounts, labels } = configuration;
  const serving = { ...defaultServing, ...configuration.serving, ...flags.given };
  const scrubber = scrubberOf(accounts);
  const log = processLog(terminal, serving, scrubber);
  const security = webSecurity(serving.webConfigFile, log);
  if (flags.checkOnly) {
    tellAccounts(terminal, configuration);
    return;
  }
  const stopped = terminal.untilStopped();
  const store = await openStorage(serving.storagePath, { clock: systemClock, log });
  const exporter = exporterProcess({
    serving,
    accounts,
    labels,
    store,
    log,
    scrubber,
    ...security,
  });
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

import type { Configuration } from '../config/configuration.ts';
import { defaultServing, type Serving } from '../config/serving.ts';
import { systemClock } from '../lib/clock.ts';
import { changingConfiguration } from './changing-configuration.ts';
import { tellAccounts } from './check-config.ts';
import { configured } from './configured.ts';
import { exporterProcess, processLog, scrubberOf } from './exporter-process.ts';
import type { ServeFlags } from './flags.ts';
import { openStorage } from './storage.ts';
import type { Terminal } from './terminal.ts';
import { buildOf } from './version.ts';
import { webSecurity } from './web-security.ts';

/** Serves the accounts of the file or of the environment until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<void> {
  const read = () => configured(terminal.env, flags.configFile);
  const servingOf = ({ serving }: Configuration): Serving => ({
    ...defaultServing,
    ...serving,
    ...flags.given,
  });
  const first = read();
  const { accounts, labels } = first;
  const serving = servingOf(first);
  const scrubber = scrubberOf(accounts);
  const log = processLog(terminal, serving, scrubber);
  const security = webSecurity(serving.webConfigFile, log);
  if (flags.checkOnly) {
    tellAccounts(terminal, first);
    return;
  }
  const stopped = terminal.untilStopped();
  const store = await openStorage(serving.storagePath, { clock: systemClock, log });
  const exporter = exporterProcess({
    build: buildOf(terminal.env),
    serving,
    accounts,
    labels,
    store,
    log,
    scrubber,
    configuration: changingConfiguration({ read, first, serving, servingOf, log, scrubber }),
    ...security,
  });
  try {
    await exporter.start();
  } catch (error) {
    await exporter.stop();
    throw error;
  }
  terminal.hangUps.listen(() => void exporter.reload());
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await exporter.stop();
  log.info({}, 'stopped');
}

import { createExporter, createWebSecurity, openStorage } from '../app/create-exporter.ts';
import { loadConfiguration } from '../app/load-configuration.ts';
import { createProcessLog, scrubberOf } from '../app/logging.ts';
import { runningConfiguration } from '../app/reload.ts';
import { buildOf } from '../app/version.ts';
import type { Configuration } from '../config/configuration.ts';
import { servingFromEnvironment } from '../config/environment/variables.ts';
import { defaultServing, type Serving } from '../config/serving.ts';
import { systemClock } from '../lib/clock.ts';
import { tellConfiguration } from './check-config.ts';
import type { ServeFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** Serves the configured accounts until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<void> {
  const read = () => loadConfiguration(terminal.env, flags.configFile);
  const servingOf = ({ serving }: Configuration): Serving => ({
    ...defaultServing,
    ...serving,
    ...servingFromEnvironment(terminal.env),
    ...flags.given,
  });
  const first = read();
  const { accounts, labels, slo, links } = first;
  const serving = servingOf(first);
  const scrubber = scrubberOf(accounts);
  const log = createProcessLog(terminal, serving, scrubber);
  const security = createWebSecurity(serving.webConfigFile, log);
  if (flags.checkOnly) {
    tellConfiguration(terminal, first);
    return;
  }
  const stopped = terminal.untilStopped();
  const store = await openStorage(serving.storagePath, { clock: systemClock, log });
  const exporter = createExporter({
    build: buildOf(terminal.env),
    serving,
    accounts,
    labels,
    slo,
    links,
    store,
    log,
    scrubber,
    configuration: runningConfiguration({ read, first, serving, servingOf, log, scrubber }),
    ...security,
  });
  try {
    await exporter.start();
  } catch (error) {
    await exporter.stop();
    throw error;
  }
  terminal.sighup.listen(() => void exporter.reload());
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await exporter.stop();
  log.info({}, 'stopped');
}

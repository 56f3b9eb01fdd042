import type { Exporter } from '../app/exporter.ts';
import { loadConfiguration, readTextFile } from '../app/load-configuration.ts';
import { createProcessLog, reportShortSecrets, scrubberOf } from '../app/logging.ts';
import { openStorage } from '../app/open-storage.ts';
import { autoReload, ConfigurationFiles, runningConfiguration } from '../app/reload.ts';
import { buildOf } from '../app/version.ts';
import { createWebSecurity } from '../app/web-security.ts';
import type { Configuration } from '../config/configuration.ts';
import { servingFromEnvironment } from '../config/environment.ts';
import { UsageError } from '../config/problems.ts';
import { defaultServing, type Serving, storageProblem } from '../config/serving.ts';
import { placesToListen } from '../http/server/listen-address.ts';
import { systemClock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { printConfiguration } from './check-config.ts';
import type { ServeFlags } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** Serves the configured accounts until the process is asked to stop. */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<void> {
  const files = new ConfigurationFiles(readTextFile);
  const read = () => {
    const configuration = files.reading((readText) =>
      loadConfiguration(terminal.env, flags.configFile, readText),
    );
    const problem = storageProblem({ ...configuration.serving, ...flags.given });
    if (problem !== undefined) throw new UsageError(problem);
    return configuration;
  };
  const servingOf = ({ serving }: Configuration): Serving => ({
    ...defaultServing,
    ...serving,
    ...servingFromEnvironment(terminal.env),
    ...flags.given,
  });
  const first = read();
  const serving = servingOf(first);
  const scrubber = scrubberOf(first.accounts);
  const log = createProcessLog(terminal, serving, scrubber);
  const security = createWebSecurity(serving.webConfigFile, log);
  if (flags.checkOnly) {
    printConfiguration(terminal, { ...first, serving: { ...first.serving, ...flags.given } });
    return;
  }
  reportShortSecrets(log, first.accounts);
  const stopped = terminal.untilStopped();
  const { workload } = terminal;
  const { store, sharing } = await openStorage(serving, {
    clock: systemClock,
    log,
    readText: readTextFile,
    workload: workload && {
      ...workload,
      threadStarted: () => {
        workload.threadStarted();
        // The modules of the exporter are loaded while the thread opens the database.
        void import('../app/exporter.ts');
      },
    },
  });
  let exporter: Exporter;
  try {
    const { Exporter } = await import('../app/exporter.ts');
    const { HttpClient } = await import('../api/http/client.ts');
    exporter = new Exporter({
      ...first,
      serving,
      listenOn: placesToListen(serving, terminal.env, process.pid),
      build: buildOf(terminal.env),
      clock: systemClock,
      random: Math.random,
      newClient: (client) => new HttpClient(present({ ...client, workload })),
      store,
      log,
      scrubber,
      ...present({ workload, sharing, security }),
      configuration: runningConfiguration({ read, first, serving, servingOf, log, scrubber }),
    });
  } catch (error) {
    // The thread of an open store would keep the process alive.
    await store.close();
    throw error;
  }
  try {
    await exporter.start();
  } catch (error) {
    await exporter.stop();
    throw error;
  }
  terminal.sighup.listen(() => void exporter.reload());
  const ended = new AbortController();
  const { autoReloadSeconds: intervalSeconds } = serving;
  if (intervalSeconds !== undefined) {
    const reload = () => exporter.reload();
    void autoReload({ files, intervalSeconds, reload, clock: systemClock }, ended.signal);
  }
  const signal = await stopped;
  ended.abort();
  log.info({ signal }, 'stopping');
  await exporter.stop();
  log.info({}, 'stopped');
}

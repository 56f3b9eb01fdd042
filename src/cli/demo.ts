import { bearerToken } from '../api/http/authentication.ts';
import { createExporter, createWebSecurity, memoryStorage } from '../app/create-exporter.ts';
import { createProcessLog, scrubberOf } from '../app/logging.ts';
import { buildOf } from '../app/version.ts';
import type { AccountSettings } from '../config/account.ts';
import { defaultServing } from '../config/serving.ts';
import { Secret } from '../lib/secret.ts';
import type { ServingFlags } from './flags.ts';
import { startSimulatedService } from './sandbox.ts';
import type { AccountFlags } from './sandbox-flags.ts';
import type { Terminal } from './terminal.ts';

/** Runs the exporter against a simulated account until the process is asked to stop. */
export async function demo(
  terminal: Terminal,
  given: ServingFlags,
  simulated: AccountFlags,
): Promise<void> {
  const serving = { ...defaultServing, ...given };
  const stopped = terminal.untilStopped();
  const { service, token } = await startSimulatedService({ ...simulated, port: 0 });
  try {
    const account: AccountSettings = {
      name: 'demo',
      baseUrl: service.url,
      version: '3.1',
      authentication: bearerToken(new Secret(token)),
    };
    const accounts = [account];
    const scrubber = scrubberOf(accounts);
    const log = createProcessLog(terminal, serving, scrubber);
    const security = createWebSecurity(serving.webConfigFile, log);
    const store = memoryStorage();
    const build = buildOf(terminal.env);
    const exporter = createExporter({
      env: terminal.env,
      build,
      serving,
      accounts,
      store,
      log,
      scrubber,
      ...security,
    });
    const url = await exporter.start();
    terminal.stdout.write(guide(url, serving.telemetryPath, service.url, simulated.checks));
    await stopped;
    await exporter.stop();
  } finally {
    await service.close();
  }
}

function guide(url: string, path: string, serviceUrl: string, checks: number): string {
  return `
  The exporter monitors a simulated account with ${checks} checks.

    Status page   ${url}/
    Metrics       ${url}${path}
    Service       ${serviceUrl} (simulated, in this process)

  Status       curl -s ${url}${path} | grep uptime_check_status
  Who is down  curl -s ${url}${path} | grep 'uptime_check_up.* 0$'
  The budget   curl -s ${url}${path} | grep uptime_exporter_rate_limit

  Stop with Ctrl-C.

`;
}

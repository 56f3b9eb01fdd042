import { Secret } from '../lib/secret.ts';
import { exporterProcess } from './exporter-process.ts';
import type { SandboxFlags, ServingFlags } from './flags.ts';
import { startSimulatedService } from './simulated-service.ts';
import type { Terminal } from './terminal.ts';

/** The exporter watching a simulated account, until the process is asked to stop. */
export async function demo(
  terminal: Terminal,
  serving: ServingFlags,
  simulated: SandboxFlags,
): Promise<void> {
  const stopped = terminal.untilStopped();
  const { service, token } = await startSimulatedService(simulated, 0);
  try {
    const account = { name: 'demo', baseUrl: service.url, token: new Secret(token) };
    const { exporter } = exporterProcess(terminal, serving, [account]);
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
  The exporter watches a simulated account with ${checks} checks.

    Status page   ${url}/
    Metrics       ${url}${path}
    Service       ${serviceUrl} (simulated, in this process)

  Look at      curl -s ${url}${path} | grep uptime_check_status
  Who is down  curl -s ${url}${path} | grep 'uptime_check_up.* 0$'
  The budget   curl -s ${url}${path} | grep uptime_exporter_rate_limit

  Stop it with Ctrl-C.

`;
}

import type { SandboxFlags } from './flags.ts';
import { startSimulatedService } from './simulated-service.ts';
import type { Terminal } from './terminal.ts';

/** Serves the simulated service until the process is asked to stop. */
export async function sandbox(
  terminal: Terminal,
  flags: SandboxFlags,
  port: number,
): Promise<void> {
  const stopped = terminal.untilStopped();
  const { service, token } = await startSimulatedService(flags, port);
  terminal.stdout.write(
    `
A simulated monitoring service with ${flags.checks} checks is at ${service.url}
Its token is ${token}

Ask it:       curl -H 'Authorization: Bearer ${token}' '${service.url}/api/3.1/checks?limit=2'
Watch it:     UPTIME_API_BASE_URL=${service.url} UPTIME_API_TOKEN=${token} npm start
It allows ${flags.shortLimit} requests an hour and ${flags.longLimit} in 30 days. Stop it with Ctrl-C.

`.slice(1),
  );
  await stopped;
  await service.close();
}

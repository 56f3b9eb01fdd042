import type { SandboxFlags } from './sandbox-flags.ts';
import { startSimulatedService } from './simulated-service.ts';
import type { Terminal } from './terminal.ts';

/** Serves the simulated service until the process is asked to stop. */
export async function sandbox(terminal: Terminal, flags: SandboxFlags): Promise<void> {
  const { fault = [], oddity = [], ...options } = flags;
  const stopped = terminal.untilStopped();
  const { service, token } = await startSimulatedService({ ...options, oddities: oddity });
  for (const order of fault) service.faults.inject(order);
  const { url, adminUrl } = service;
  terminal.stdout.write(
    `
A simulated monitoring service with ${flags.checks} checks is at ${url}
Its token is ${token}

Ask it:       curl -H 'Authorization: Bearer ${token}' '${url}/api/3.1/checks?limit=2'
Watch it:     UPTIME_API_BASE_URL=${url} UPTIME_API_TOKEN=${token} npm start
2.1 and 2.0:  user demo@example.com, password demo, application key demo-app-key
${adminUrl === undefined ? '' : `Make trouble: curl ${adminUrl}/\n`}
It allows ${flags.shortLimit} requests an hour and ${flags.longLimit} in 30 days. Stop it with Ctrl-C.

`.slice(1),
  );
  await stopped;
  await service.close();
}

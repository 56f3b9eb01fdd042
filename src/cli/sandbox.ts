import { randomBytes } from 'node:crypto';
import { type RunningSandbox, type StartOptions, scaledClock, startSandbox } from 'uptime-sandbox';
import { UsageError } from '../config/problems.ts';
import { systemClock } from '../lib/clock.ts';
import type { SandboxFlags } from './sandbox-flags.ts';
import type { Terminal } from './terminal.ts';

interface SimulatedServiceOptions extends Omit<StartOptions, 'clock' | 'limitsClock' | 'host'> {
  readonly timeScale?: number;
}

/** Starts the sandbox on the loopback address. */
export async function startSimulatedService(
  options: SimulatedServiceOptions,
): Promise<RunningSandbox> {
  const { timeScale = 1, ...rest } = options;
  try {
    return await startSandbox({
      ...rest,
      clock: scaledClock(systemClock, timeScale),
      limitsClock: systemClock,
      host: '127.0.0.1',
    });
  } catch (cause) {
    if (cause instanceof Error) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}

/** Serves the simulated service until the process is asked to stop. */
export async function sandbox(terminal: Terminal, flags: SandboxFlags): Promise<void> {
  const { fault = [], quirk = [], token = randomBytes(24).toString('base64url') } = flags;
  const stopped = terminal.untilStopped();
  const service = await startSimulatedService({ ...flags, token, quirks: quirk });
  for (const order of fault) service.faults.inject(order);
  const { url, adminUrl } = service;
  terminal.stdout.write(
    `
A simulated monitoring service with ${flags.checks} checks is at ${url}
Its token is ${token}

Request:      curl -H 'Authorization: Bearer ${token}' '${url}/api/3.1/checks?limit=2'
Monitor it:   UPTIME_API_BASE_URL=${url} UPTIME_API_TOKEN=${token} npm start
2.1 and 2.0:  user demo@example.com, password demo, application key demo-app-key
${adminUrl === undefined ? '' : `Admin:        curl ${adminUrl}/\n`}
It allows ${flags.shortLimit} requests per hour and ${flags.longLimit} per 30 days. Stop with Ctrl-C.

`.slice(1),
  );
  await stopped;
  await service.close();
}

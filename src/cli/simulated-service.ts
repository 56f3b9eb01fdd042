import { randomBytes } from 'node:crypto';
import { systemClock } from '../lib/clock.ts';
import {
  type RunningSandbox,
  type StartOptions,
  startSandbox,
} from '../sandbox/running-sandbox.ts';
import { scaledClock } from '../sandbox/scaled-clock.ts';
import type { SandboxFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export interface SimulatedService {
  readonly service: RunningSandbox;
  readonly token: string;
}

/** The sandbox on the loopback address, for which a token is made up on the spot. */
export async function startSimulatedService(
  flags: SandboxFlags,
  port: number,
): Promise<SimulatedService> {
  const { checks, seed, timeScale, shortLimit, longLimit } = flags;
  const token = randomBytes(24).toString('base64url');
  const service = await listening({
    checks,
    seed,
    shortLimit,
    longLimit,
    token,
    clock: scaledClock(systemClock, timeScale),
    limitsClock: systemClock,
    host: '127.0.0.1',
    port,
  });
  return { service, token };
}

async function listening(options: StartOptions): Promise<RunningSandbox> {
  try {
    return await startSandbox(options);
  } catch (cause) {
    if (cause instanceof Error) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}

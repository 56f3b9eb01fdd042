import { randomBytes } from 'node:crypto';
import { systemClock } from '../lib/clock.ts';
import {
  type RunningSandbox,
  type StartOptions,
  startSandbox,
} from '../sandbox/running-sandbox.ts';
import { scaledClock } from '../sandbox/scaled-clock.ts';
import type { AccountFlags } from './sandbox-flags.ts';
import { UsageError } from './usage-error.ts';

export type ServiceOptions = AccountFlags &
  Pick<StartOptions, 'port'> &
  Partial<Pick<StartOptions, 'adminPort' | 'token' | 'readOnlyToken' | 'oddities'>>;

export interface SimulatedService {
  readonly service: RunningSandbox;
  readonly token: string;
}

/** The sandbox on the loopback address; a token is made up when none is given. */
export async function startSimulatedService(options: ServiceOptions): Promise<SimulatedService> {
  const { timeScale, token = randomBytes(24).toString('base64url'), ...rest } = options;
  try {
    const service = await startSandbox({
      ...rest,
      token,
      clock: scaledClock(systemClock, timeScale),
      limitsClock: systemClock,
      host: '127.0.0.1',
    });
    return { service, token };
  } catch (cause) {
    if (cause instanceof Error) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}

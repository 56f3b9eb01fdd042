import type { Clock } from '../../lib/clock.ts';
import { type Listening, listenOn } from '../listening.ts';
import type { Sandbox } from '../sandbox.ts';
import { adminApp } from './admin-app.ts';

export interface AdminOptions {
  readonly sandbox: Sandbox;
  /** The clock of the sandbox's data. */
  readonly clock: Pick<Clock, 'now'>;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * Serves what an operator of the sandbox does to it, on the loopback address alone, because it asks for no
 * credentials. Rejects with an `Error` that names the address when it cannot be listened on.
 */
export function startAdmin({ sandbox, clock, port }: AdminOptions): Promise<Listening> {
  return listenOn(adminApp({ sandbox, clock }), '127.0.0.1', port);
}

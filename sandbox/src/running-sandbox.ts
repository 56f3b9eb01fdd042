import { z } from 'zod';
import { startAdmin } from './admin/admin.ts';
import { filled, valid, whole } from './lib/options.ts';
import { createSandbox, type Sandbox, sandboxOptions } from './sandbox.ts';
import { listenOn } from './server/listen.ts';
import { Webhook } from './webhook.ts';

const startOptions = sandboxOptions.extend({
  host: filled,
  /** 0 for any free port. */
  port: whole(0, 65_535),
  /**
   * Port of the admin listener on the loopback address, 0 for any free port; without it there is no
   * listener.
   */
  adminPort: whole(0, 65_535).optional(),
  /** An address to call when a check goes down or up. */
  webhook: z.url('must be an address').optional(),
});

export type StartOptions = z.input<typeof startOptions>;

export interface RunningSandbox extends Sandbox {
  /** Without a trailing slash. */
  readonly url: string;
  /** The address of the admin listener, if there is one; without a trailing slash. */
  readonly adminUrl?: string;
  /** Stops listening and closes every connection, even with a request in progress. */
  close(): Promise<void>;
}

/**
 * Rejects with an `Error` that names the address when it cannot listen, or with a `RangeError` for
 * an invalid option.
 */
export async function startSandbox(options: StartOptions): Promise<RunningSandbox> {
  valid(startOptions, options);
  const { host, port, adminPort, webhook, ...ofSandbox } = options;
  const sandbox = createSandbox(ofSandbox);
  const service = withWebhook(await listenOn(sandbox.app, host, port), sandbox, options);
  if (adminPort === undefined) return { ...sandbox, ...service };
  try {
    const admin = await startAdmin({ sandbox, clock: options.clock, port: adminPort });
    return {
      ...sandbox,
      url: service.url,
      adminUrl: admin.url,
      close: async () => {
        await Promise.all([service.close(), admin.close()]);
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

function withWebhook<S extends { close(): Promise<void> }>(
  service: S,
  { world }: Sandbox,
  { webhook: url, clock, limitsClock }: Pick<StartOptions, 'webhook' | 'clock' | 'limitsClock'>,
): S {
  if (url === undefined) return service;
  const ended = new AbortController();
  const running = new Webhook({ url, world, clock }).run(limitsClock.sleep, ended.signal);
  return {
    ...service,
    close: async () => {
      ended.abort();
      await Promise.all([running, service.close()]);
    },
  };
}

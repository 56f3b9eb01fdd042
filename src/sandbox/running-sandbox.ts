import { startAdmin } from './admin/admin.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { listenOn } from './server/listen.ts';

export interface StartOptions extends SandboxOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Port of the admin listener on the loopback address, 0 for any free one; without it there is none. */
  readonly adminPort?: number;
}

export interface RunningSandbox extends Sandbox {
  /** Without a slash at the end. */
  readonly url: string;
  /** Where the admin listener is, if there is one; without a slash at the end. */
  readonly adminUrl?: string;
  /** Stops listening and cuts every connection, answered or not. */
  close(): Promise<void>;
}

/** Rejects with an `Error` that names the address when it cannot be listened on, or with a `RangeError` for a bad option. */
export async function startSandbox({
  host,
  port,
  adminPort,
  ...options
}: StartOptions): Promise<RunningSandbox> {
  const sandbox = createSandbox(options);
  const service = await listenOn(sandbox.app, host, port);
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

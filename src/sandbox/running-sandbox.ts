import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

export interface StartOptions extends SandboxOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface RunningSandbox extends Sandbox {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops listening and cuts every connection, answered or not. */
  close(): Promise<void>;
}

/** Rejects with an `Error` that names the address when it cannot be listened on, or with a `RangeError` for a bad option. */
export async function startSandbox({
  host,
  port,
  ...options
}: StartOptions): Promise<RunningSandbox> {
  const sandbox = createSandbox(options);
  const server = createServer(sandbox.app);
  await listen(server, host, port);
  const { address, family, port: bound } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  let closed: Promise<void> | undefined;
  return {
    ...sandbox,
    url: `http://${name}:${bound}`,
    close: () => {
      closed ??= stop(server);
      return closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) => {
      const message = `The sandbox cannot listen on ${host}:${port}: ${cause.message}`;
      reject(new Error(message, { cause }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What happens to the connection that sends a commit. It is cut before the server gets it, or after the server has answered it; or
 * the client is cut off and the server hears nothing of it; or nothing that is sent arrives any more.
 */
export type Cut = 'before' | 'after' | 'for the client before' | 'silently before';

/** Passes connections on to a database, and cuts the one that sends the next commit when it is told to. */
export class CuttingProxy {
  readonly #target: number;
  readonly #server = createServer((socket) => this.#passOn(socket));
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  #told: (() => void) | undefined;

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(async () => {
      proxy.#server.close();
      for (const socket of proxy.#sockets) socket.destroy();
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when the commit came. */
  cutNextCommit(cut: Cut): Promise<void> {
    this.#cut = cut;
    return new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  #passOn(client: Socket): void {
    const server = connect({ host: '127.0.0.1', port: this.#target });
    let cut: Cut | undefined;
    const hidden: readonly (Cut | undefined)[] = ['for the client before', 'silently before'];
    const end = () => {
      client.destroy();
      if (!hidden.includes(cut)) server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      if (cut === undefined && bytes.includes('COMMIT\0')) {
        cut = this.#cut;
        this.#cut = undefined;
        this.#told?.();
      }
      if (cut === undefined || cut === 'after') server.write(bytes);
      else if (cut !== 'silently before') end();
    });
    server.on('data', (bytes) => {
      if (cut === 'after') end();
      else client.write(bytes);
    });
  }
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** When a connection is cut that sends a commit: before the server gets it, or after the server has answered it. */
export type Cut = 'before' | 'after';

/** Passes connections on to a database, and cuts the one that sends the next commit when it is told to. */
export class CuttingProxy {
  readonly #target: number;
  readonly #server = createServer((socket) => this.#passOn(socket));
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;

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

  cutNextCommit(cut: Cut): void {
    this.#cut = cut;
  }

  #passOn(client: Socket): void {
    const server = connect({ host: '127.0.0.1', port: this.#target });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    let isSwallowing = false;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      const cut = bytes.includes('COMMIT\0') ? this.#cut : undefined;
      if (cut !== undefined) this.#cut = undefined;
      if (cut === 'before') {
        end();
        return;
      }
      isSwallowing = cut === 'after';
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isSwallowing) end();
      else client.write(bytes);
    });
  }
}

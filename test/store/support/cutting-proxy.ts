import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * The fate of a connection that sends a commit. It is cut before the server gets the commit, or
 * after the server has responded; or the client is cut off without the server's notice; or nothing
 * arrives any more.
 */
type Cut = 'before' | 'after' | 'for the client before' | 'silently before';

/** Forwards connections to a database. On request, it cuts the one that sends the next commit. */
export class CuttingProxy {
  readonly #target: number;
  readonly #server = createServer((socket) => this.#passOn(socket));
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  #told: (() => void) | undefined;
  #silenced = new AbortController();

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

  /** Resolves when the commit has arrived. */
  cutNextCommit(cut: Cut): Promise<void> {
    this.#cut = cut;
    return new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  /** On the present connections nothing arrives any more, in either direction. */
  silence(): void {
    this.#silenced.abort();
    this.#silenced = new AbortController();
  }

  #passOn(client: Socket): void {
    const server = connect({ host: '127.0.0.1', port: this.#target });
    const silenced = this.#silenced.signal;
    let cut: Cut | undefined;
    const hidden: readonly (Cut | undefined)[] = ['for the client before', 'silently before'];
    const end = () => {
      if (silenced.aborted) return;
      client.destroy();
      if (!hidden.includes(cut)) server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      if (silenced.aborted) return;
      if (cut === undefined && bytes.includes('COMMIT\0')) {
        cut = this.#cut;
        this.#cut = undefined;
        this.#told?.();
      }
      if (cut === undefined || cut === 'after') server.write(bytes);
      else if (cut !== 'silently before') end();
    });
    server.on('data', (bytes) => {
      if (silenced.aborted) return;
      if (cut === 'after') end();
      else client.write(bytes);
    });
  }
}

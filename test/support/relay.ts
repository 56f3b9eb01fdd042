import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Issued } from './certificates.ts';

/**
 * Forwards connections to a server, over TLS if it has a certificate. It represents a network that
 * can fail.
 */
export class Relay {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(url: string) {
    this.#target = new URL(url);
  }

  static async start(
    url: string,
    { certificate, port = 0 }: { readonly certificate?: Issued; readonly port?: number } = {},
  ): Promise<Relay> {
    const relay = new Relay(url);
    relay.#port = port;
    onTestFinished(() => relay.cut());
    await relay.listen(certificate);
    return relay;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens on the same port again, optionally with another certificate. */
  async listen(certificate?: Issued): Promise<void> {
    const accept = (socket: Socket) => this.#passOn(socket);
    this.#server =
      certificate === undefined
        ? createServer(accept)
        : createTlsServer({ ...certificate }, accept);
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #passOn(socket: Socket): void {
    const { hostname, port } = this.#target;
    const onward = connect({ host: hostname, port: Number(port) });
    this.#keep(onward);
    socket.on('error', () => {});
    socket.pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  answering: number;
}

/**
 * The connections of a server, told apart by whether a request is being answered on them. Under TLS a
 * request has a socket of its own, above that of the connection; both have the same peer.
 */
export class Connections {
  readonly #open = new Map<string, Connection>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      const connection = { socket, answering: 0 };
      this.#open.set(peer, connection);
      socket.once('close', () => {
        if (this.#open.get(peer) === connection) this.#open.delete(peer);
      });
    });
    server.on('request', (request, response) => {
      const { socket } = request;
      const connection = this.#open.get(peerOf(socket));
      if (connection === undefined) return;
      connection.answering++;
      response.once('close', () => {
        connection.answering--;
        if (this.#draining && connection.answering === 0) socket.destroySoon();
      });
    });
  }

  /** Closes the idle connections now, and the others as soon as they have their answer. */
  drain(): void {
    this.#draining = true;
    for (const { socket, answering } of this.#open.values()) {
      if (answering === 0) socket.destroy();
    }
  }

  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

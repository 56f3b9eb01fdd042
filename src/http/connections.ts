import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, told apart by whether a request is being answered on them. */
export class Connections {
  readonly #open = new Map<Socket, { answering: number }>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { answering: 0 });
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', (request, response) => {
      const { socket } = request;
      const connection = this.#open.get(socket);
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
    for (const [socket, { answering }] of this.#open) {
      if (answering === 0) socket.destroy();
    }
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

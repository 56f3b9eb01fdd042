import { connect, createServer, type Server } from 'node:net';

/** What fits into the address of a socket on every system; more is cut off without a word. */
export const longestSocketPathBytes = 103;

/** A socket in the file system that tells whoever connects to it that its process lives, and nothing else. */
export class LocalSocket {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects with the error of the operating system, such as `EADDRINUSE`. Keeps no process alive. */
  static listen(path: string): Promise<LocalSocket> {
    const server = createServer((socket) => socket.destroy());
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        server.unref();
        resolve(new LocalSocket(server));
      });
    });
  }

  /** Removes its file too. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Whether anybody listens there; when in doubt, somebody does. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      const nobody = 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT');
      resolve(!nobody);
    });
  });
}

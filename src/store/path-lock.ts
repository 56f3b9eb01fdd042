import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { StoreError } from './store-error.ts';

/** What fits into the address of a socket on every system; more is cut off without a word. */
const longestPathBytes = 103;

/**
 * Holds a path for one process: a local socket is listened on. The operating system ends it with its
 * process, however that dies, and it holds between containers that share the folder, where process
 * numbers mean nothing.
 */
export class PathLock {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects with a `StoreError`: `locked` when another process holds it. */
  static async take(path: string): Promise<PathLock> {
    if (Buffer.byteLength(path) > longestPathBytes) {
      throw unwritable(path, `its path is longer than ${longestPathBytes} bytes`);
    }
    try {
      return new PathLock(await listen(path));
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) throw unwritable(path, error);
    }
    if (await isAlive(path)) throw locked(path);
    try {
      // Only one of several that find a dead socket can move it out of the way.
      await rename(path, `${path}.dead`);
      await rm(`${path}.dead`, { force: true });
      return new PathLock(await listen(path));
    } catch (error) {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'EADDRINUSE')) throw locked(path, error);
      throw unwritable(path, error);
    }
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.unref();
      resolve(server);
    });
  });
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) =>
      resolve(!hasCode(error, 'ECONNREFUSED') && !hasCode(error, 'ENOENT')),
    );
  });
}

function locked(path: string, cause?: unknown): StoreError {
  return new StoreError(
    'locked',
    `another process uses the store (it answers on ${path}): stop it, or choose another storage path`,
    { cause },
  );
}

function unwritable(path: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('unwritable', `cannot lock the store at ${path}: ${why}`, { cause });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

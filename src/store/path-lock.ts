import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { answers, LocalSocket, longestSocketPathBytes } from './local-socket.ts';
import { StoreError } from './store-error.ts';

const nameBytes = 6;

/**
 * Holds a path for one process: a local socket is listened on, of a name of its own that begins with the path.
 * The operating system ends it with its process, however that dies, and it holds between containers that
 * share the folder, where process numbers mean nothing.
 *
 * Whoever wants the path listens first and then looks for others, so that of any two at least one sees the
 * other and gives up. Only who holds it removes the sockets of the dead.
 */
export class PathLock {
  readonly #socket: LocalSocket;

  private constructor(socket: LocalSocket) {
    this.#socket = socket;
  }

  /**
   * Rejects with a `StoreError`: `locked` when another process holds it or is about to, `unwritable`. Of
   * several that take it in the same instant, all may be refused.
   */
  static async take(path: string): Promise<PathLock> {
    for (;;) {
      const lock = await takeUnlessRemoved(path);
      if (lock !== undefined) return new PathLock(lock);
    }
  }

  async release(): Promise<void> {
    await this.#socket.close();
  }
}

async function takeUnlessRemoved(path: string): Promise<LocalSocket | undefined> {
  const own = `${path}.${randomBytes(nameBytes).toString('base64url')}`;
  const socket = await listen(path, own);
  try {
    const others = (await socketsOf(path)).filter((other) => other !== own);
    const answered = await Promise.all(others.map(answers));
    const holder = others.find((_, place) => answered[place]);
    if (holder !== undefined) throw locked(holder);
    // Between the making of a socket and the listening on it, a holder takes it for that of a dead process.
    if ((await socketsOf(path)).includes(own)) {
      await Promise.all(others.map((dead) => rm(dead, { force: true })));
      return socket;
    }
  } catch (error) {
    await socket.close();
    throw error instanceof StoreError ? error : unwritable(path, error);
  }
  await socket.close();
  return undefined;
}

async function listen(path: string, own: string): Promise<LocalSocket> {
  if (Buffer.byteLength(own) > longestSocketPathBytes) {
    throw unwritable(path, `its path is longer than ${longestSocketPathBytes} bytes`);
  }
  try {
    return await LocalSocket.listen(own);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Those of all that hold, want or held the path. */
async function socketsOf(path: string): Promise<string[]> {
  const entries = await readdir(dirname(path), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isSocket() && entry.name.startsWith(basename(path)))
    .map(({ name }) => join(dirname(path), name));
}

function locked(holder: string): StoreError {
  return new StoreError(
    'locked',
    `another process uses the store (it answers on ${holder}): stop it, or choose another storage path`,
  );
}

function unwritable(path: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('unwritable', `cannot lock the store at ${path}: ${why}`, { cause });
}

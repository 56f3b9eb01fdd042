import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'uptime.page';
const ownerOnly = 0o600;

/** A file beside the store that is there between a graceful stop and the next start. */
export class PageFile {
  readonly #path: string;

  /** The folder of the store. */
  constructor(folder: string) {
    this.#path = join(folder, fileName);
  }

  /** What it holds, once: it is gone from the disk before. Undefined when there is none; rejects when it cannot be removed. */
  async take(): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    await rm(this.#path, { force: true });
    return bytes;
  }

  /** Not synced to the disk: whoever reads it checks whether all of it is there. Leaves nothing behind when it rejects. */
  async put(chunks: Iterable<Uint8Array>): Promise<void> {
    try {
      await rm(this.#path, { force: true });
      await writeFile(this.#path, chunks, { mode: ownerOnly, flag: 'wx' });
    } catch (error) {
      await rm(this.#path, { force: true }).catch(() => {});
      throw error;
    }
  }
}

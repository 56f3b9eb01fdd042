import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { UsageError } from '../../config/problems.ts';
import { folderProblem } from '../../lib/file-problem.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { orUndefined } from '../../lib/or-undefined.ts';
import { type PastItem, pastItemSchema } from '../series/past-item.ts';
import { FolderLock, lockNames } from './folder-lock.ts';

const manifestSchema = z.object({
  account: z.string(),
  from: z.string(),
  to: z.string().optional(),
  /** The ids of `--only`; absent for all items. */
  only: z.string().optional(),
  /** The options that the labels of the series depend on. */
  options: z.string(),
  responseTimes: z.boolean().default(false),
  /** Days that were written to one destination are missing in another. */
  destination: z.string(),
  fineFromSeconds: z.number(),
  /** Labels that scrapes add, keyed by item: `check 12`. Only these items are written. */
  written: z.record(z.string(), z.record(z.string(), z.string())),
  /** Days whose files are complete or imported. */
  days: z.array(z.string()),
});

/** The description of a folder's history. It does not change when the command runs again. */
export type HistoryManifest = z.infer<typeof manifestSchema>;
/** The part of the description that the command line specifies. */
export type WantedHistory = Pick<HistoryManifest, (typeof wantedNames)[number]> & {
  readonly to?: string;
  readonly only?: string;
};

const wantedNames = ['account', 'from', 'options', 'responseTimes', 'destination'] as const;
const optionalNames = ['to', 'only'] as const;

const manifestName = 'backfill.json';
const itemsName = 'items.ndjson';

/** The folder of one history. Files get their names when they are complete. */
export class OutputFolder {
  readonly #path: string;
  #lock: FolderLock | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Whether a folder exists and has a history, which may be incomplete. */
  static isHistory(path: string): boolean {
    return existsSync(join(path, manifestName));
  }

  /**
   * Opens the folder for this command alone, until it is closed, and creates it if needed. Rejects
   * with a `UsageError` if the folder has other contents, or if another command is writing to it.
   * `since` is shown to later commands.
   */
  static async open(path: string, since: string): Promise<OutputFolder> {
    const folder = new OutputFolder(path);
    await folder.#writing(() => makeFolder(path));
    const names = readdirSync(path).filter(
      (name) => !name.endsWith('.part') && !lockNames.includes(name),
    );
    if (names.length > 0 && !names.includes(manifestName) && !names.includes(itemsName)) {
      throw new UsageError(`${path} is not empty and holds no history: choose another folder`);
    }
    folder.#lock = await folder.#writing(async () => FolderLock.acquire(path, since));
    return folder;
  }

  /** Lets other commands write to the folder. */
  close(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Undefined before the first history. Throws a `UsageError` for another history. */
  manifest(wanted: WantedHistory): HistoryManifest | undefined {
    const manifest = this.storedManifest();
    if (manifest === undefined) return undefined;
    for (const name of [...wantedNames, ...optionalNames]) {
      if (manifest[name] === wanted[name]) continue;
      const [has, wants] = [manifest[name] ?? 'none', wanted[name] ?? 'none'];
      throw new UsageError(
        `${this.#path} holds another history (${name} is ${JSON.stringify(has)}, not ${JSON.stringify(wants)}): two histories of one account count twice; choose another folder, or the same options`,
      );
    }
    return manifest;
  }

  /** Undefined before the first history. */
  storedManifest(): HistoryManifest | undefined {
    const path = join(this.#path, manifestName);
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, 'utf8');
    const manifest = orUndefined(() => manifestSchema.parse(JSON.parse(text)));
    if (manifest === undefined) throw new UsageError(`${path} is corrupt: choose another folder`);
    return manifest;
  }

  async storeManifest(manifest: HistoryManifest): Promise<void> {
    await this.write(manifestName, [`${JSON.stringify(manifest)}\n`]);
  }

  get hasItems(): boolean {
    return existsSync(join(this.#path, itemsName));
  }

  async storeItems(items: AsyncIterable<PastItem>): Promise<void> {
    await this.write(itemsName, linesOf(items));
  }

  /** Yields the stored items. */
  async *items(): AsyncIterable<PastItem> {
    const input = createReadStream(join(this.#path, itemsName));
    for await (const line of createInterface({ input })) {
      yield pastItemSchema.parse(JSON.parse(line));
    }
  }

  pathOf(name: string): string {
    return join(this.#path, name);
  }

  /** Writes a file completely or not at all. Returns its size; 0 for no text and no file. */
  async write(name: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<number> {
    const path = join(this.#path, name);
    const part = `${path}.part`;
    return await this.#writing(async () => {
      let bytes = 0;
      try {
        const file = await open(part, 'w');
        try {
          for await (const piece of pieces) {
            // `write` writes only what fits when a disk becomes full.
            await file.appendFile(piece);
            bytes += Buffer.byteLength(piece);
          }
          await file.sync();
        } finally {
          await file.close();
        }
        if (bytes > 0) await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
      return bytes;
    });
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true });
  }

  async #writing<T>(write: () => Promise<T> | T): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new UsageError(
        `cannot write to ${this.#path}: ${folderProblem(this.#path, error)}; run the same command again to continue`,
      );
    }
  }
}

async function* linesOf(items: AsyncIterable<PastItem>): AsyncIterable<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedError } from './damaged-error.ts';
import { LmdbStore } from './lmdb-store.ts';
import { makeFolder } from './make-folder.ts';
import { openSound } from './open-sound.ts';
import { OpeningMark } from './opening-mark.ts';
import { PathLock } from './path-lock.ts';
import { StoreError } from './store-error.ts';

export interface OpenLmdbStoreOptions {
  /** A folder, made when it is missing. */
  readonly path: string;
  /** Ends the name that a damaged store is given, such as the time: unique per start. */
  readonly asideSuffix: string;
}

export interface MovedAside {
  /** What is wrong with it, for a person. */
  readonly reason: string;
  readonly path: string;
}

export interface OpenedStore {
  readonly store: LmdbStore;
  /** Present when what was there could not be used, and the store is a new, empty one. Say it loudly: counters start at 0. */
  readonly movedAside?: MovedAside;
}

/** Rejects with a `StoreError`: `locked`, or `unwritable`. */
export async function openLmdbStore({
  path,
  asideSuffix,
}: OpenLmdbStoreOptions): Promise<OpenedStore> {
  await attempt(path, () => makeFolder(path));
  const lock = await PathLock.take(join(path, 'lock'));
  try {
    const { sound, movedAside } = await attempt(path, () => openRecords(path, asideSuffix));
    const store = new LmdbStore({ ...sound, path, release: () => lock.release() });
    return movedAside === undefined ? { store } : { store, movedAside };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openRecords(path: string, asideSuffix: string) {
  const folder = join(path, 'data');
  const mark = new OpeningMark(join(path, 'opening'));
  try {
    return { sound: await openSound(folder, mark) };
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    const movedAside = { reason: error.message, path: `${folder}.damaged-${asideSuffix}` };
    await rename(folder, movedAside.path);
    return { sound: await openSound(folder, mark), movedAside };
  }
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError('unwritable', `cannot use the storage path ${path}: ${why}`, {
      cause: error,
    });
  }
}

import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderProblem } from '../../lib/file-problem.ts';
import { manifestKind } from '../format/manifest.ts';
import type { RecordWrite } from '../format/record.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { createFile, databaseName, openDatabase, ownerOnly } from './open-database.ts';
import type { Notice, PackedRecords, WorkerOptions } from './protocol.ts';

const ownersFolder = 0o700;
const readOnlyCodes: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM'];

/** The database in the storage folder, or while nothing can be written there, a copy of it elsewhere. */
export class StoreDatabase {
  readonly #path: string;
  readonly #suffix: string;
  readonly notices: Notice[] = [];
  #connection: Connection;
  /** Where the file lay when it was opened. */
  #identity: string;
  #copy: string | undefined;

  /** Throws a `StoreError`. */
  constructor({ path, suffix }: WorkerOptions) {
    this.#path = path;
    this.#suffix = suffix;
    requireNoLmdb(path);
    const reason = this.#whyReadOnly();
    if (reason === undefined) {
      this.#connection = this.#open(path);
    } else {
      this.#copy = this.#copyFiles(reason);
      this.#connection = this.#open(this.#copy);
      this.notices.push({ kind: 'read-only', reason });
    }
    this.#identity = identityOf(path) ?? '';
  }

  read(account: string): PackedRecords {
    try {
      return this.#connection.read(account);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** All or nothing, and on the disk when it returns. Throws a `StoreError`. */
  write(account: string, writes: readonly RecordWrite[]): void {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    try {
      this.#connection.write(account, writes);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** A digest of the manifests, each of which names all records of its account. Throws a `StoreError`. */
  fingerprint(): string {
    try {
      const hash = createHash('sha256');
      for (const { account, bytes } of this.#connection.ofKind(manifestKind)) {
        hash.update(`${account}\0${bytes.length}\0`).update(bytes);
      }
      return hash.digest('hex');
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** A dated copy of what is durable; answers its path. Throws a `StoreError`. */
  backup(suffix: string): string {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    const folder = join(this.#path, 'backup');
    const path = join(folder, `uptime-${suffix}.db`);
    try {
      mkdirSync(folder, { recursive: true, mode: ownersFolder });
      closeSync(openSync(path, 'wx', ownerOnly));
    } catch (error) {
      throw new StoreError('unwritable', `cannot write ${path}: ${messageOf(error)}`);
    }
    try {
      this.#connection.copyTo(path);
      return path;
    } catch (error) {
      rmSync(path, { force: true });
      throw toStoreError(error);
    }
  }

  close(): void {
    this.#connection.close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
  }

  #open(folder: string): Connection {
    const { connection, notices } = openDatabase(folder, this.#suffix);
    this.notices.push(...notices);
    return connection;
  }

  /** Undefined when files can be written here. Throws a `StoreError` when they cannot, and there is nothing to serve either. */
  #whyReadOnly(): string | undefined {
    const file = join(this.#path, databaseName);
    try {
      accessSync(this.#path, constants.W_OK);
      createFile(file);
      return undefined;
    } catch (error) {
      const why = folderProblem((error as NodeJS.ErrnoException).path ?? this.#path, error);
      const isReadOnly =
        error instanceof Error && 'code' in error && readOnlyCodes.includes(error.code);
      if (isReadOnly && existsSync(file)) return why;
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      throw new StoreError(
        isFull ? 'full' : 'unwritable',
        `cannot use the storage path ${this.#path}: ${why}`,
      );
    }
  }

  /** The log goes along: the last commits before a crash are in it. */
  #copyFiles(reason: string): string {
    const from = join(this.#path, databaseName);
    let failure: unknown;
    for (const folder of [tmpdir(), '/dev/shm']) {
      let copy: string | undefined;
      try {
        copy = mkdtempSync(join(folder, 'uptime-exporter-'));
        for (const ending of ['', '-wal']) {
          if (!existsSync(from + ending)) continue;
          copyFileSync(from + ending, join(copy, databaseName + ending));
          chmodSync(join(copy, databaseName + ending), ownerOnly);
        }
        return copy;
      } catch (error) {
        failure = error;
        if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
      }
    }
    throw new StoreError(
      'unwritable',
      `cannot use the storage path ${this.#path}: ${reason}; nor can it be copied to a temporary folder: ${messageOf(failure)}`,
    );
  }

  /** Goes back to the storage folder when it can be written again. Throws a `StoreError` while it cannot. */
  #leaveCopy(): void {
    const reason = this.#whyReadOnly();
    if (reason !== undefined) {
      throw new StoreError(
        'unwritable',
        `cannot write to the storage path ${this.#path}: ${reason}`,
      );
    }
    const connection = this.#open(this.#path);
    this.#connection.close();
    this.#connection = connection;
    this.#identity = identityOf(this.#path) ?? '';
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
    this.#copy = undefined;
  }

  /** What is written to files that no path leads to any more is lost with the process. */
  #requireSameFiles(): void {
    if (identityOf(this.#path) === this.#identity) return;
    throw new StoreError(
      'unwritable',
      `the storage path ${this.#path} was deleted, replaced or mounted over while in use: put it back, or restart the exporter`,
    );
  }
}

function requireNoLmdb(path: string): void {
  for (const file of [join(path, 'data', 'data.mdb'), join(path, 'data.mdb')]) {
    if (!existsSync(file)) continue;
    throw new StoreError(
      'refused',
      `${file} was written by a development version whose format is no longer read: move it away (counters start anew), or choose another storage path`,
    );
  }
}

/** Of the folder and of the file in it; undefined when they are not there. */
function identityOf(path: string): string | undefined {
  try {
    const [folder, file] = [statSync(path), statSync(join(path, databaseName))];
    return `${folder.dev} ${folder.ino} ${file.dev} ${file.ino}`;
  } catch {
    return undefined;
  }
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `the database is damaged: ${messageOf(error)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { folderProblem } from '../../lib/file-problem.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Workload } from '../../lib/workload.ts';
import { EncodedStore } from '../encoded-store.ts';
import type { StoredRow } from '../format/row.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from '../record-backend.ts';
import type { MonthBatch } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { ownersFolder } from './file-modes.ts';
import {
  type Notice,
  type Opened,
  sizeOfGroups,
  unpack,
  type WorkerOptions,
  type WorkerResponse,
} from './protocol.ts';
import type { Calls, Request } from './serve-database.ts';

interface OpenSqliteStoreOptions {
  /** A folder; created if it does not exist. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly workload?: Workload | undefined;
  /** The entry module of the worker thread. */
  readonly worker?: URL;
}

export interface OpenedSqliteStore {
  readonly store: EncodedStore;
  /** Facts about the opening that the operator should know. */
  readonly notices: readonly (Notice | { readonly kind: 'file-system'; readonly name: string })[];
}

/** Node.js 20 cannot run TypeScript in a worker thread, so sources use the built worker. */
const entry = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../build/store/sqlite/store-worker.js'
    : './store-worker.js',
  import.meta.url,
);

/** Rejects with a `StoreError`: `locked`, `refused`, `unwritable` or `full`. */
export async function openSqliteStore({
  path,
  now,
  workload,
  worker = entry,
}: OpenSqliteStoreOptions): Promise<OpenedSqliteStore> {
  try {
    makeFolder(path, ownersFolder);
  } catch (error) {
    const why = folderProblem(path, error);
    throw new StoreError('unwritable', `cannot use the storage path ${path}: ${why}`, {
      cause: error,
    });
  }
  const network = await networkFileSystem(path);
  if (network?.verdict === 'refused') {
    throw new StoreError(
      'refused',
      `the storage path ${path} is on a network file system (${network.name}), which does not keep locks and commits as a ` +
        'database needs them: use a local disk, or a volume that only one machine mounts',
    );
  }
  const options = { path, suffix: dated(now()), now: now(), hasInodes: network === undefined };
  const thread = new SqliteThread(worker, options, now, workload);
  const { notices } = await thread.opened();
  return {
    store: new EncodedStore(thread, workload),
    notices:
      network === undefined ? notices : [...notices, { kind: 'file-system', name: network.name }],
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/** The database as seen from the main thread. Responses arrive in the order of the requests. */
class SqliteThread implements RecordBackend {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #now: () => number;
  readonly #opened: Promise<unknown>;
  #id = '';
  #ended: string | undefined;

  constructor(
    entry: URL,
    options: WorkerOptions,
    now: () => number,
    workload: Workload | undefined,
  ) {
    this.#now = now;
    this.#worker = new Worker(entry, { workerData: options });
    this.#worker.once('online', () => workload?.threadStarted());
    this.#opened = this.#response();
    this.#worker.on('message', (response: WorkerResponse) => {
      const waiting = this.#waiting.shift();
      if ('result' in response) waiting?.resolve(response.result);
      else waiting?.reject(new StoreError(response.failure.reason, response.failure.message));
    });
    this.#worker.on('error', (error) => this.#end(error.message));
    this.#worker.on('exit', () => this.#end('it is closed'));
  }

  async opened(): Promise<Opened> {
    const opened = (await this.#opened) as Opened;
    this.#id = opened.id;
    return opened;
  }

  get id(): string {
    return this.#id;
  }

  async accounts(): Promise<readonly string[]> {
    return this.#call('accounts');
  }

  /** The file lock covers all accounts, so none can be owned by another process. */
  async open(account: string): Promise<Opening> {
    const { groups, ...past } = await this.#call('open', account);
    return { kind: 'owned', rows: unpack(groups), bytes: sizeOfGroups(groups), ...past };
  }

  async readMonth(batch: MonthBatch): Promise<readonly StoredRow[]> {
    return [...unpack((await this.#call('month', batch)).groups)];
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    const wasEnded = this.#ended !== undefined;
    try {
      await this.#call('commit', commit, this.#now());
      return { kind: 'stored' };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The outcome is unknown: the thread may have ended before the commit or after it.
      const isUnknown = this.#ended !== undefined && !wasEnded;
      return isUnknown
        ? { kind: 'unknown', why: this.#ended ?? '' }
        : { kind: 'not stored', error };
    }
  }

  async release(): Promise<void> {}

  async backup(): Promise<string> {
    return this.#call('backup', dated(this.#now()));
  }

  async close(): Promise<void> {
    const exit = once(this.#worker, 'exit');
    await this.#call('close', this.#now());
    await exit;
  }

  async #call<C extends keyof Calls>(
    call: C,
    ...args: Parameters<Calls[C]>
  ): Promise<ReturnType<Calls[C]>> {
    if (this.#ended !== undefined) throw threadEnded(this.#ended);
    const response = this.#response();
    this.#worker.postMessage({ call, args } satisfies Request<C>);
    return (await response) as ReturnType<Calls[C]>;
  }

  #response(): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #end(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.splice(0)) reject(threadEnded(this.#ended));
  }
}

function threadEnded(why: string): StoreError {
  return new StoreError(
    'unwritable',
    `the thread of the store has ended (${why}): restart the exporter`,
  );
}

/** A time in ISO 8601 without colons, for file names. */
function dated(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replaceAll(':', '-');
}

/** Network file systems by their type in statfs(2). FUSE may be a local disk or a bucket. */
const linuxTypes: ReadonlyMap<number, readonly [name: string, verdict: 'refused' | 'doubtful']> =
  new Map([
    [0x6969, ['NFS', 'refused']],
    [0x517b, ['SMB', 'refused']],
    [0xfe534d42, ['SMB', 'refused']],
    [0xff534d42, ['CIFS', 'refused']],
    [0x5346414f, ['AFS', 'refused']],
    [0x6b414653, ['AFS', 'refused']],
    [0x73757245, ['Coda', 'refused']],
    [0x564c, ['NCP', 'refused']],
    [0x0bd00bd0, ['Lustre', 'refused']],
    [0x00c36400, ['Ceph', 'refused']],
    [0x01021997, ['9P', 'doubtful']],
    [0x65735546, ['FUSE', 'doubtful']],
  ]);

/** Undefined for a local disk, or if the type is unknown. */
async function networkFileSystem(
  path: string,
): Promise<{ readonly name: string; readonly verdict: 'refused' | 'doubtful' } | undefined> {
  const stats = await statfs(path).catch(() => undefined);
  const known = stats && linuxTypes.get(stats.type >>> 0);
  return known && { name: known[0], verdict: known[1] };
}

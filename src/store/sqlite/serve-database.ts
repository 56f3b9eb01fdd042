import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../../lib/error-text.ts';
import { StoreError } from '../store-error.ts';
import type { StoreDatabase } from './database.ts';
import type { Failure, Opened, OpenedAccount, WorkerResponse } from './protocol.ts';

/** The calls of the database's thread are the methods of the database. */
export type Calls = Pick<
  StoreDatabase,
  'accounts' | 'open' | 'month' | 'commit' | 'backup' | 'close'
>;
export interface Request<C extends keyof Calls = keyof Calls> {
  readonly call: C;
  readonly args: Parameters<Calls[C]>;
}

type ServedDatabase = Calls & Opened;

/** Opens a database and responds to requests in order, until a request to close it. */
export function serveDatabase(port: MessagePort, open: () => ServedDatabase): void {
  const respond = (action: () => unknown) => {
    try {
      const result = action();
      port.postMessage({ result } satisfies WorkerResponse, buffersOf(result));
    } catch (error) {
      port.postMessage({ failure: failureOf(error) } satisfies WorkerResponse);
    }
  };
  let database: ServedDatabase | undefined;
  port.on('message', (request: Request) => {
    respond(() => {
      if (database === undefined) throw new StoreError('closed', 'the store is closed');
      const { call, args } = request;
      return Reflect.apply(database[call], database, args);
    });
    if (request.call === 'close') port.close();
  });
  respond((): Opened => {
    database = open();
    const { id, notices } = database;
    return { id, notices };
  });
  if (database === undefined) port.close();
}

function failureOf(error: unknown): Failure {
  const reason = error instanceof StoreError ? error.reason : 'unwritable';
  return { reason, message: messageOf(error) };
}

/** The buffers of the rows that were read. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (result === null || typeof result !== 'object' || !('groups' in result)) return [];
  const { groups } = result as OpenedAccount;
  return groups.map(({ lines }) => lines.buffer);
}

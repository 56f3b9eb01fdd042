import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../../lib/error-text.ts';
import { StoreError } from '../store-error.ts';
import type { StoreDatabase } from './database.ts';
import type { Failure, OpenedAccount, Request, WorkerResponse } from './protocol.ts';

type ServedDatabase = Pick<
  StoreDatabase,
  'notices' | 'accounts' | 'open' | 'month' | 'commit' | 'backup' | 'close'
>;

/** Opens a database and answers requests in order, until a request to close it. */
export function serveDatabase(port: MessagePort, open: () => ServedDatabase): void {
  const reply = (action: () => unknown) => {
    try {
      const result = action();
      port.postMessage({ result } satisfies WorkerResponse, buffersOf(result));
    } catch (error) {
      port.postMessage({ failure: failureOf(error) } satisfies WorkerResponse);
    }
  };
  let database: ServedDatabase | undefined;
  port.on('message', (request: Request) => {
    reply(() => {
      if (database === undefined) throw new StoreError('closed', 'the store is closed');
      return answer(database, request);
    });
    if (request.call === 'close') port.close();
  });
  reply(() => {
    database = open();
    return database.notices;
  });
  if (database === undefined) port.close();
}

function answer(database: ServedDatabase, request: Request): unknown {
  switch (request.call) {
    case 'accounts':
      return database.accounts();
    case 'open':
      return database.open(request.account);
    case 'month':
      return database.month(request.batch);
    case 'commit':
      return database.commit(request);
    case 'backup':
      return database.backup(request.suffix);
    case 'close':
      return database.close(request.now);
  }
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

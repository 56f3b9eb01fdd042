import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../../lib/error-text.ts';
import { StoreError } from '../store-error.ts';
import type { StoreDatabase } from './database.ts';
import type { Request, WorkerResponse } from './protocol.ts';

type ServedDatabase = Pick<
  StoreDatabase,
  'notices' | 'accounts' | 'open' | 'commit' | 'backup' | 'close'
>;

/** Opens a database and answers requests in order, until a request to close it. */
export function serveDatabase(port: MessagePort, open: () => ServedDatabase): void {
  const reply = (action: () => unknown) => {
    const { message, transfer } = replyOf(action);
    port.postMessage(message, transfer);
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
    case 'commit':
      return database.commit(request);
    case 'backup':
      return database.backup(request.suffix);
    case 'close':
      return database.close(request.now);
  }
}

function replyOf(action: () => unknown): {
  readonly message: WorkerResponse;
  readonly transfer: readonly ArrayBuffer[];
} {
  try {
    const result = action();
    const bytes = result !== null && typeof result === 'object' && 'bytes' in result;
    const buffer = bytes && result.bytes instanceof Uint8Array ? result.bytes.buffer : undefined;
    return { message: { result }, transfer: buffer instanceof ArrayBuffer ? [buffer] : [] };
  } catch (error) {
    const message = messageOf(error);
    const reason = error instanceof StoreError ? error.reason : 'unwritable';
    return { message: { failure: { reason, message } }, transfer: [] };
  }
}

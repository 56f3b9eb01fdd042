import { parentPort, workerData } from 'node:worker_threads';
import { StoreDatabase } from './database.ts';
import type { WorkerOptions } from './protocol.ts';
import { serveDatabase } from './serve-database.ts';

// The entry module of the worker thread. SQLite is synchronous, and a disk may be slow.
if (parentPort !== null) {
  serveDatabase(parentPort, () => new StoreDatabase(workerData as WorkerOptions));
}

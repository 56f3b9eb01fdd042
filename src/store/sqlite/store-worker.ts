import { parentPort, workerData } from 'node:worker_threads';
import { StoreDatabase } from './database.ts';
import type { WorkerOptions } from './protocol.ts';
import { serveDatabase } from './serve-database.ts';

// The entry of the thread: SQLite is synchronous, and a disk may take its time.
if (parentPort !== null) {
  serveDatabase(parentPort, () => new StoreDatabase(workerData as WorkerOptions));
}

// The thread of a store on a disk that takes half a second for each commit.
import { parentPort, workerData } from 'node:worker_threads';
import { StoreDatabase } from '../../../build/store/sqlite/database.js';
import { serveDatabase } from '../../../build/store/sqlite/serve-database.js';

class SlowDatabase extends StoreDatabase {
  commit(request) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    super.commit(request);
  }
}

serveDatabase(parentPort, () => new SlowDatabase(workerData));

// The thread of a store whose commits do not end while there is a file `hangs` beside the database. It
// gives up after two minutes, so that a store without a thread of its own fails its test.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreDatabase } from '../../../build/store/sqlite/database.js';
import { serveDatabase } from '../../../build/store/sqlite/serve-database.js';

const [pollMilliseconds, mostPolls] = [100, 1_200];
const hangs = join(workerData.path, 'hangs');

class SlowDatabase extends StoreDatabase {
  commit(request) {
    for (let poll = 0; poll < mostPolls && existsSync(hangs); poll++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMilliseconds);
    }
    super.commit(request);
  }
}

serveDatabase(parentPort, () => new SlowDatabase(workerData));

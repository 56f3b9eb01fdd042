// Opens a store with two migrations. It is killed after this many records have been migrated.
import { currentFormat } from '../../../build/store/format/migrations.js';
import { StoreDatabase } from '../../../build/store/sqlite/database.js';

const [path, step] = process.argv.slice(2);
let migrated = 0;

function backwards(records) {
  return records.map((record) => {
    if (migrated++ === Number(step)) process.kill(process.pid, 'SIGKILL');
    return { ...record, payload: Uint8Array.from(record.payload).reverse() };
  });
}

const migrations = new Map([
  [currentFormat.version, backwards],
  [currentFormat.version + 1, backwards],
]);
new StoreDatabase({
  path,
  suffix: 'x',
  now: 0,
  hasInodes: true,
  format: { version: currentFormat.version + 2, migrations },
});

// Opens a store with two migrations. It is killed after this many rows have been migrated.
import { currentFormat } from '../../../build/store/format/migrations.js';
import { StoreDatabase } from '../../../build/store/sqlite/database.js';

const [path, step] = process.argv.slice(2);
let migrated = 0;

const each = (migrate) => (rows) =>
  rows.map((row) => {
    if (migrated++ === Number(step)) process.kill(process.pid, 'SIGKILL');
    return { ...row, value: migrate(row.value) };
  });

const migrations = new Map([
  [currentFormat.version, each((value) => ({ wrapped: value }))],
  [currentFormat.version + 1, each(({ wrapped }) => wrapped)],
]);
new StoreDatabase({
  path,
  suffix: 'x',
  now: 0,
  hasInodes: true,
  format: { version: currentFormat.version + 2, migrations },
});

// Fills a store with some megabytes and copies it repeatedly, until it is killed.
import { DocumentSet } from '../../../build/store/format/document-set.js';
import { openSqliteStore } from '../../../build/store/sqlite/open-sqlite-store.js';

const [path] = process.argv.slice(2);
const { store } = await openSqliteStore({ path, now: Date.now });
for (let n = 0; n < 20; n++) {
  const text = String(n).repeat(1_000_000);
  await store.commit({
    account: `account ${n}`,
    documents: new DocumentSet().set('feature test', text),
  });
}
process.stdout.write('ready\n');
for (;;) await store.backup();

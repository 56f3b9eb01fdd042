// Commits under a limit of the file size until a commit fails. Then prints the contents of the
// store, and whether it still works.
import { DocumentSet } from '../../../build/store/format/document-set.js';
import { openSqliteStore } from '../../../build/store/sqlite/open-sqlite-store.js';

const [path] = process.argv.slice(2);
const { store } = await openSqliteStore({ path, now: Date.now });
const document = (size) => new DocumentSet().set('feature test', 'x'.repeat(size));
let size = 1000;
let failure;
while (failure === undefined && size < 1e9) {
  await store.commit({ account: 'a', documents: document(2 * size) }).then(
    () => {
      size *= 2;
    },
    (error) => {
      failure = error;
    },
  );
}
const kept = (await store.load('a')).documents.get('feature test').length;
await store.commit({ account: 'a', documents: document(10) });
const recovered = (await store.load('a')).documents.get('feature test').length;
await store.close();
const { name, reason, message } = failure;
process.stdout.write(JSON.stringify({ name, reason, message, lost: kept !== size, recovered }));

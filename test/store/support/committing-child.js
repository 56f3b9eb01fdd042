// Commits counters that only grow, and prints each value once it is durable, as an exporter would
// expose it.
import { DocumentSet } from '../../../build/store/format/document-set.js';
import { openSqliteStore } from '../../../build/store/sqlite/open-sqlite-store.js';

const [path] = process.argv.slice(2);
const checks = 200;

function item(n) {
  const states = { startSeconds: 0, horizonSeconds: n, state: 'up' };
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const changes = [{ state: 'up', fromSeconds: 0 }];
  return { states, log: { knownFromSeconds: 0, hours: [], changes, seconds, outages: n } };
}

const { store, notices } = await openSqliteStore({ path, now: Date.now });
const stored = await store.load('a');
const values = [...stored.items.check.values()].map(({ log }) => log.outages);
const first = values[0] ?? 0;
process.stdout.write(
  `${JSON.stringify({ loaded: first, alike: values.every((value) => value === first), notices })}\n`,
);
for (let n = first + 1; ; n++) {
  const check = new Map(Array.from({ length: checks }, (_, id) => [id, item(n)]));
  await store.commit({
    account: 'a',
    items: { check },
    documents: new DocumentSet().set('transactions', []),
  });
  process.stdout.write(`${JSON.stringify({ exposed: n })}\n`);
  await new Promise(setImmediate);
}

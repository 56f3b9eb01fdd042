import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import type { Store, StoredItem } from '../../src/store/store.ts';
import { openPostgres } from '../replicas/support/open-postgres.ts';
import { PostgresCluster } from '../replicas/support/postgres-cluster.ts';
import { missing, toolPath } from '../support/tools.ts';
import { openStore } from './support/open-store.ts';
import { fullItem, plainItem } from './support/stored-items.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const day = 86_400;
const horizonSeconds = 1_767_225_600;
const startSeconds = horizonSeconds - 60 * day;
/** Down for an hour 40 days before the horizon, for two hours 20 days before it, and since a minute. */
const flaky: StoredItem = {
  states: { startSeconds, horizonSeconds, state: 'down' },
  log: {
    knownFromSeconds: startSeconds,
    hours: [],
    changes: StateChanges.of([
      { state: 'up', fromSeconds: startSeconds },
      { state: 'down', fromSeconds: horizonSeconds - 40 * day },
      { state: 'up', fromSeconds: horizonSeconds - 40 * day + 3600 },
      { state: 'down', fromSeconds: horizonSeconds - 20 * day },
      { state: 'up', fromSeconds: horizonSeconds - 20 * day + 7200 },
      { state: 'down', fromSeconds: horizonSeconds - 60 },
    ]),
    seconds: { up: 60 * day - 10_800 - 60, down: 10_800, unknown: 0, unmonitored: 0 },
    outages: 3,
  },
};
/** Down for 400 seconds of an hour whose changes were folded. */
const folded: StoredItem = {
  states: { startSeconds: horizonSeconds - 2 * day, horizonSeconds, state: 'up' },
  log: {
    knownFromSeconds: horizonSeconds - 2 * day,
    hours: [
      {
        fromSeconds: horizonSeconds - 2 * day,
        toSeconds: horizonSeconds - 2 * day + 3600,
        seconds: { up: 3200, down: 400, unknown: 0, unmonitored: 0 },
      },
    ],
    changes: StateChanges.of([{ state: 'up', fromSeconds: horizonSeconds - 2 * day + 3600 }]),
    seconds: { up: 3200, down: 400, unknown: 0, unmonitored: 0 },
    outages: 1,
  },
};
const { log: _, ...alwaysUp } = fullItem;
const names = ['a lone surrogate \ud800', 'a zero \0', 'ä'.repeat(1500)];

async function fillStore(store: Store): Promise<void> {
  await store.commit({
    account: 'shop',
    items: {
      check: new Map([
        [5, flaky],
        [6, { ...alwaysUp, ...plainItem(1) }],
        [7, folded],
      ]),
      transaction: new Map([[5, plainItem(2)]]),
    },
    documents: new DocumentSet<null>().set(
      'check settings',
      names.map((name, id) => ({ id, name, type: 'http', tags: [] })),
      1,
    ),
  });
  await store.close();
}

const down = [
  { account: 'shop', kind: 'check', id: 5, seconds: 7260 },
  { account: 'shop', kind: 'check', id: 7, seconds: 400 },
];

/** The SQLite of another program. */
const script = `import json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.row_factory = sqlite3.Row
for sql in sys.argv[2].split(';'): rows = connection.execute(sql).fetchall()
print(json.dumps([dict(row) for row in rows]))`;

describe.skipIf(missing('python3'))('SQLite on a copy', () => {
  const query = async (sql: string) => {
    const path = await temporaryFolder();
    await fillStore((await openStore(path)).store);
    const text = execFileSync(toolPath('python3'), ['-c', script, join(path, 'uptime.db'), sql]);
    return JSON.parse(text.toString());
  };

  test('shows how long checks were down in the last 30 days, and since when they are', async () => {
    expect(await query('SELECT * FROM down ORDER BY id')).toEqual(down);
    const now =
      "SELECT kind, id, since FROM span JOIN item USING (account, kind, id) WHERE state = 'down' AND until = horizon AND since < horizon";
    expect(await query(now)).toEqual([{ kind: 'check', id: 5, since: horizonSeconds - 60 }]);
  });

  test('answers the queries of docs/operating.md', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
    const [, section = ''] = text.split('### Queries on a backup');
    const block = section.slice(0, section.indexOf('\n### ')).match(/^ {4}.*$/gm) ?? [];
    const queries = block.join('\n').split(';').slice(0, -1);

    const answers = [];
    for (const sql of queries) answers.push(await query(sql));

    expect(answers).toEqual([
      [{ account: 'shop', kind: 'check', id: 5, since: '2025-12-31 23:59:00' }],
      [{ seconds: 7260 }],
      [{ counts: null }],
      [],
    ]);
  });

  test('shows the counters of a check', async () => {
    const counts =
      "SELECT body ->> '$.results.counts.up' AS up FROM row WHERE kind = 'check' AND id = 6";
    expect(await query(counts)).toEqual([{ up: 4 }]);
  });

  test('reads names with lone surrogates, zeros and 3,000 bytes', async () => {
    const sql =
      "SELECT value ->> 'name' AS name FROM row, json_each(body) WHERE kind = 'check settings'";
    expect(await query(sql)).toEqual(
      ['a lone surrogate \ufffd', 'a zero \ufffd', names[2]].map((name) => ({ name })),
    );
  });

  test('shows items whose row is missing', async () => {
    const sql = `DELETE FROM row WHERE kind = 'check' AND id = 6;
      SELECT account, kind, id FROM item WHERE NOT EXISTS
        (SELECT 1 FROM row WHERE row.account = item.account AND row.kind = item.kind AND row.id = item.id)`;
    expect(await query(sql)).toEqual([{ account: 'shop', kind: 'check', id: 6 }]);
  });
});

describe.skipIf(missing('initdb'))('psql', () => {
  let cluster: PostgresCluster | undefined;
  afterAll(() => cluster?.stop());

  test('shows how long checks were down in the last 30 days, and reads every name', async () => {
    cluster = await PostgresCluster.start();
    const url = await cluster.createDatabase();
    await fillStore((await openPostgres(url)).store);
    const query = (sql: string) => cluster?.query(new URL(url).pathname.slice(1), sql);

    const rows = await query(
      'SELECT account, kind, id::int, seconds FROM uptime_exporter.down ORDER BY id',
    );
    expect(rows).toEqual(down);
    const read = await query(
      "SELECT value ->> 'name' AS name FROM uptime_exporter.row, jsonb_array_elements(body::jsonb) AS value WHERE kind = 'check settings'",
    );
    expect(read?.map(({ name }) => name)).toEqual([
      'a lone surrogate \ufffd',
      'a zero \ufffd',
      names[2],
    ]);
  });
});

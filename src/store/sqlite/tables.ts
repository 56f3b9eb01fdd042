/**
 * Types are checked, so that damage to one is found before the column is read. The views are for
 * people: `span` has the states of items from their changes, and `down` the seconds of the last 30
 * days before the horizon of an item in which it was down.
 */
export const createTables = `
  CREATE TABLE row (account TEXT NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL,
    body TEXT NOT NULL, crc TEXT NOT NULL, PRIMARY KEY (account, kind, id)) STRICT;
  CREATE TABLE horizon (account TEXT NOT NULL, kind TEXT NOT NULL, part INTEGER NOT NULL,
    body TEXT NOT NULL, crc TEXT NOT NULL, PRIMARY KEY (account, kind, part)) STRICT;
  CREATE VIEW item (account, kind, id, horizon, log) AS
  SELECT horizon.account, horizon.kind, entry.value ->> 0, entry.value ->> 1, row.body
  FROM horizon, json_each(horizon.body) AS entry LEFT JOIN row
    ON row.account = horizon.account AND row.kind = horizon.kind || ' log' AND row.id = entry.value ->> 0;
  CREATE VIEW span (account, kind, id, state, since, until) AS
  SELECT account, kind, id, state, since, until FROM (
    SELECT account, kind, item.id, key, value AS state, lead(value, 1) OVER change AS since, lead(value, 3, horizon) OVER change AS until
    FROM item, json_each(log, '$.changes')
    WINDOW change AS (PARTITION BY account, kind, item.id ORDER BY key)
  ) WHERE key % 2 = 0;
  CREATE VIEW down (account, kind, id, seconds) AS
  SELECT account, kind, id, sum(seconds) FROM (
    SELECT span.account, span.kind, span.id, max(0, until - max(since, horizon - 30 * 86400)) AS seconds
    FROM span JOIN item USING (account, kind, id) WHERE state = 'down'
    UNION ALL
    SELECT account, kind, item.id, hour.value ->> 3 FROM item, json_each(log, '$.hours') AS hour
    WHERE hour.value ->> 0 >= horizon - 30 * 86400
  ) GROUP BY account, kind, id;
`;

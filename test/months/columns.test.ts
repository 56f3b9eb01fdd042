import { readFileSync } from 'node:fs';
import request from 'supertest';
import { expect, test } from 'vitest';
import { csvColumnsMarkdown, pageColumnsMarkdown } from '../../src/months/http/column-docs.ts';
import { jsonHelp } from '../../src/months/http/json.ts';
import { application, monthsOf, october } from './support/october.ts';

/** Scripts rely on the names and their order: new columns are added at the end. */
const reportColumns = [
  ...['month', 'time_zone', 'kind', 'account', 'id', 'name', 'groups', 'tags', 'items'],
  ...['availability', 'objective', 'met', 'margin_seconds', 'down_seconds', 'outages'],
  ...['longest_outage_seconds', 'maintenance_seconds', 'unknown_seconds', 'unmonitored_seconds'],
  ...['unwatched_seconds', 'folded_seconds', 'known_seconds', 'known_by', 'created', 'removed'],
  ...['read_afterwards', 'read_at', 'verdict', 'awaited_seconds', 'awaited_items'],
  ...['counted_until', 'hostname', 'first_seen', 'days'],
  ...['availability_before', 'down_seconds_before', 'outages_before'],
  ...['response_time_seconds', 'response_time_hours', 'slowest_day'],
  ...['slowest_day_response_time_seconds', 'response_time_seconds_before'],
];
const outageColumns = [
  ...['account', 'kind', 'id', 'name', 'begin', 'began_before', 'end', 'seconds_in_month'],
  ...['counted', 'maintenance', 'causes'],
];

const wholeReport = [
  ...['month', 'time_zone', 'state', 'from', 'to', 'counted_until', 'groups_left_out'],
  ...['response_days_not_read', 'month_before'],
  ...['account', 'unreadable', 'only', 'text', 'last_read'].map(
    (name) => `accounts_not_read[].${name}`,
  ),
  ...[
    ...['account', 'items', 'availability', 'down_seconds', 'outages', 'known_seconds'],
    ...['awaited_seconds', 'unwatched_seconds'],
    ...['availability_before', 'down_seconds_before', 'outages_before'],
  ].map((name) => `totals[].${name}`),
];

const app = request(application([monthsOf('shop', october)]));

test.each([
  ['/report.csv', reportColumns],
  ['/report-outages.csv', outageColumns],
])('the columns of %s are the same in the same order', async (path, columns) => {
  const { text } = await app.get(path);
  expect(text.slice(1, text.indexOf('\r\n')).split(',')).toEqual(columns);
});

test('the fields of the whole report in JSON keep their names', () => {
  expect(jsonHelp.map(([name]) => name)).toEqual(wholeReport);
});

test('JSON has the names of the CSV columns', async () => {
  const { body } = await app.get('/report.json');
  const names = new Set(body.items.flatMap(Object.keys));
  expect([...names].filter((name) => !reportColumns.includes(`${name}`))).toEqual([]);
  const outageNames = new Set(body.outages.flatMap(Object.keys));
  const others = [...outageNames].filter((name) => !outageColumns.includes(`${name}`));
  expect(others).toEqual(['from', 'to']);
});

test.each([
  ['columns', pageColumnsMarkdown],
  ['fields', csvColumnsMarkdown],
])('the documentation has the %s of the report', (name, markdown) => {
  const text = readFileSync('docs/objectives.md', 'utf8');
  const [, after = ''] = text.split(`<!-- ${name}: written by \`npm run docs\` -->\n\n`);
  expect(after.split(`\n<!-- end of ${name} -->`)[0]).toBe(markdown());
});

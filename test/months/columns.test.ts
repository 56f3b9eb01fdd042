import { readFileSync } from 'node:fs';
import request from 'supertest';
import { expect, test } from 'vitest';
import { csvColumnsMarkdown, pageColumnsMarkdown } from '../../src/months/http/column-docs.ts';
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

const app = request(application([monthsOf('shop', october)]));

test.each([
  ['/report.csv', reportColumns],
  ['/report-outages.csv', outageColumns],
])('the columns of %s are the same in the same order', async (path, columns) => {
  const { text } = await app.get(path);
  expect(text.slice(1, text.indexOf('\r\n')).split(',')).toEqual(columns);
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

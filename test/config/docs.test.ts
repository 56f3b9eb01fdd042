import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configurationSchema } from '../../src/config/configuration.ts';
import { configurationJsonSchema, configurationMarkdown } from '../../src/config/docs.ts';
import { settingsOf } from '../../src/lib/schema-walk.ts';
import { read } from './support.ts';

const root = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');
const exhaustive = readFileSync(join(root, 'examples', 'exhaustive.yaml'), 'utf8');
const minimal = readFileSync(join(root, 'examples', 'minimal.yaml'), 'utf8');

/** Every key of a value, in the notation of the documentation. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysOf(entry, `${prefix}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [name, ...keysOf(inner, name)];
  });
}

const account = { name: 'shop', base_url: 'https://api.example.com', token_file: 'token' };
const settings = [...settingsOf(configurationSchema)].map(({ name }) => name);

test('the tables of settings are those of the schema', () => {
  const [, after = ''] = document.split('<!-- settings: written by `npm run docs` -->\n\n');
  const [tables] = after.split('\n<!-- end of settings -->');
  expect(tables).toBe(configurationMarkdown());
});

test('every setting is described, and nothing else', () => {
  const described = [...document.matchAll(/^(?:\| |- )`([\w.[\]]+)` (?:\||\()/gm)].map(
    ([, name = '']) => name,
  );
  const ofDatasets = settings
    .filter((name) => name.startsWith('accounts[].datasets.'))
    .flatMap((name) => name.split('.').slice(2));
  const others = settings.filter((name) => !name.startsWith('accounts[].datasets.'));
  expect(new Set(described)).toEqual(new Set([...others, ...ofDatasets]));
  expect(described).toContain('max_staleness');
});

describe('the JSON Schema for editors', () => {
  const path = join(root, 'docs', 'configuration.schema.json');
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  const schema = z.fromJSONSchema(stored);

  test('is that of the program', () => {
    expect(stored).toEqual(JSON.parse(JSON.stringify(configurationJsonSchema())));
  });

  test.each([
    ['exhaustive', exhaustive],
    ['minimal', minimal],
  ])('accepts the %s example', (_name, text) => {
    expect(schema.safeParse(parse(text, { merge: true })).error).toBeUndefined();
  });

  test.each([
    ['an unknown key', { acounts: [] }],
    ['no accounts', {}],
    ['a wrong choice', { log: { level: 'verbose' }, accounts: [account] }],
    ['a duration without a unit', { accounts: [{ ...account, timeouts: { total: '30' } }] }],
    ['a number out of range', { accounts: [{ ...account, concurrency: 65 }] }],
    ['a text for a switch', { accounts: [{ ...account, by_country: 'yes' }] }],
    ['an empty list', { accounts: [{ ...account, response_time_buckets: [] }] }],
    [
      'enabled for checks',
      { accounts: [{ ...account, datasets: { checks: { enabled: false } } }] },
    ],
  ])('rejects %s, as the exporter does', (_name, value) => {
    expect(schema.safeParse(value).success).toBe(false);
    expect(configurationSchema.safeParse(value).success).toBe(false);
  });
});

test('the exhaustive example names every setting and is right', () => {
  // The directory is an alternative to the database.
  const named = exhaustive.replace('# path:', 'path:');
  expect(new Set(keysOf(parse(named)))).toEqual(new Set(settings));
  expect(read(exhaustive).accounts.map(({ name }) => name)).toEqual([
    'shop',
    'lab',
    'old',
    'oldest',
  ]);
});

test('the minimal example is one account with everything by default', () => {
  const { accounts, serving, labels } = read(minimal);
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({ name: 'shop', version: '3.1' });
  expect(serving).toEqual({});
  expect(labels.labels).toEqual([]);
});

/** Their comments in the exhaustive example name the default. */
const withAnotherValue: ReadonlySet<string> = new Set([
  'storage.ca_file',
  'storage.synchronous_standby',
  'compat.parser_tags',
  'accounts[].budget.reserve.long',
]);

test('the exhaustive example has the default of every setting whose comment names no other', () => {
  const example = parse(exhaustive);
  const valueAt = (name: string) =>
    name
      .replaceAll('[]', '.0')
      .split('.')
      .reduce((inner, key) => inner?.[key], example);
  const defaults = [
    ...[...document.matchAll(/^\| `([\w.[\]]+)` \| [^|]+ \| `([^`]+)` \|/gm)],
    ...[...document.matchAll(/^\| `(\w+)` \| `\w+` \| `(\w+)` \| `3 ×/gm)].map(
      ([row, dataset, floor]) => [row, `accounts[].datasets.${dataset}.floor`, floor],
    ),
  ];
  const different = defaults
    .map(([, name = '', value]) => ({ name, value, example: valueAt(name) }))
    .filter(({ name, example: own }) => own !== undefined && !withAnotherValue.has(name))
    .map((setting) => ({
      ...setting,
      example: Array.isArray(setting.example)
        ? `[${setting.example.join(', ')}]`
        : String(setting.example),
    }))
    .filter(({ value, example: own }) => value !== own);

  expect(defaults.length).toBeGreaterThan(40);
  expect(different).toEqual([]);
});

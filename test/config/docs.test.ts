import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationSchema } from '../../src/config/configuration.ts';
import { configurationMarkdown } from '../../src/config/docs.ts';
import { settingsOf } from '../../src/config/schema-walk.ts';
import { read } from './support.ts';

const root = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');
const exhaustive = readFileSync(join(root, 'examples', 'exhaustive.yaml'), 'utf8');
const minimal = readFileSync(join(root, 'examples', 'minimal.yaml'), 'utf8');

/** Every key of a value, written as the documentation does. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysOf(entry, `${prefix}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [name, ...keysOf(inner, name)];
  });
}

const settings = [...settingsOf(configurationSchema)].map(({ name }) => name);

test('the tables of settings are those of the schema', () => {
  const [, after = ''] = document.split('<!-- settings: written by `npm run docs` -->\n\n');
  const [tables] = after.split('\n<!-- end of settings -->');
  expect(tables).toBe(configurationMarkdown());
});

test('every setting is described, and nothing is that is none', () => {
  const described = [...document.matchAll(/^\| `([\w.[\]]+)` \|/gm)].map(([, name = '']) => name);
  const datasets = settings
    .filter((name) => name.startsWith('accounts[].datasets.'))
    .map((name) => name.split('.')[2] ?? '');
  const others = settings.filter((name) => !name.startsWith('accounts[].datasets.'));
  expect(new Set(described)).toEqual(new Set([...others, ...datasets]));
});

test('the exhaustive example names every setting and is right', () => {
  expect(new Set(keysOf(parse(exhaustive)))).toEqual(new Set(settings));
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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationSchema } from '../../src/config/configuration.ts';
import { ConfigurationError } from '../../src/config/problems.ts';
import { metadataOf } from '../../src/lib/schema-problems.ts';
import { settingsOf } from '../../src/lib/schema-walk.ts';
import { read } from './support.ts';

const folder = join(import.meta.dirname, 'fixtures', 'broken');
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.input'))
  .map((name) => name.replace(/\.input$/, ''));

function messageOf(name: string): string {
  try {
    read(readFileSync(join(folder, `${name}.input`), 'utf8'), undefined, `${name}.yaml`);
    return 'no problem';
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

function expectedOf(name: string): string {
  return readFileSync(join(folder, `${name}.txt`), 'utf8');
}

test('there are broken configurations', () => {
  expect(fixtures.length).toBeGreaterThan(10);
});

/** All datasets have their settings from one function. */
const ofAnyDataset = (path: string) => path.replace(/\.datasets\.\w+\./, '.datasets.*.');

test('each key has a wrong value in one of them', () => {
  const refused = new Set<string>();
  for (const line of fixtures.flatMap((name) => expectedOf(name).split('\n'))) {
    const [, path = '', allowed = ''] =
      /^\S+: (\S+): (?!missing).*; allowed: (.*)$/.exec(line) ?? [];
    refused.add(`${ofAnyDataset(path.replaceAll(/\[\d+\]/g, '[]'))}: ${allowed}`);
  }
  const keys = [...settingsOf(configurationSchema)].flatMap(({ name, schema }) => {
    const { allowed } = metadataOf(schema);
    return allowed === undefined ? [] : [`${ofAnyDataset(name)}: ${allowed}`];
  });
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter((key) => !refused.has(key))).toEqual([]);
});

test.each(fixtures)('%s is refused with every problem in its place', (name) => {
  expect(`${messageOf(name)}\n`).toBe(expectedOf(name));
});

test.each(fixtures)('of %s no secret is repeated', (name) => {
  expect(messageOf(name)).not.toMatch(/hunter2|1234567|sesame/);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/config/problems.ts';
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

test('there are broken configurations', () => {
  expect(fixtures.length).toBeGreaterThan(10);
});

test.each(fixtures)('%s is refused with every problem in its place', (name) => {
  const expected = readFileSync(join(folder, `${name}.txt`), 'utf8');
  expect(`${messageOf(name)}\n`).toBe(expected);
});

test.each(fixtures)('of %s no secret is repeated', (name) => {
  expect(messageOf(name)).not.toMatch(/hunter2|1234567/);
});

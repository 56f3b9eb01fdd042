import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '..', 'dist');
const programs = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:main|chunks\/.+)\.js$/.test(file))
  .map((file) => [file, readFileSync(join(dist, file), 'utf8')] as const);

test('V8 keeps the bundle at one byte a character, because all its characters are of Latin-1', () => {
  const wide = programs.filter(([, source]) => /[\u0100-\uffff]/.test(source));

  expect(programs.length).toBeGreaterThan(10);
  expect(wide.map(([file]) => file)).toEqual([]);
});

test('the bundle has of zod what is used, and no other package', () => {
  const sources = programs.map(([, source]) => source).join('\n');
  const bundled = [...sources.matchAll(/^\/\/#? ?(?:region )?node_modules\/([^/\n]+)/gm)];

  expect(sources).not.toMatch(/from "zod/);
  expect(new Set(bundled.map(([, name]) => name))).toEqual(new Set(['zod']));
});

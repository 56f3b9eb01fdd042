import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteTexts } from '../src/app/account-logger.ts';

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'docs', 'logs.md'), 'utf8');

const documented = [...document.matchAll(/^\| `([^`]+)` \| (debug|info|warn|error) \|/gm)].map(
  ([, message, level]) => `${level}: ${message}`,
);

/** Every log call in the exporter, as `level: message`. */
const logged = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('sandbox'))
  .flatMap((path) => {
    const source = readFileSync(join(root, 'src', path), 'utf8');
    const calls = source.matchAll(
      /\b(?:log|logger)\??\.(debug|info|warn|error)\((?:[^']|'(?=[^']*'\s*\]))*?'([^']+)',?\s*\)/g,
    );
    return [...calls].map(([, level, message]) => `${level}: ${message}`);
  })
  .concat(Object.values(noteTexts).map((message) => `warn: ${message}`));

test('docs/logs.md lists every log line with its level, and no other', () => {
  expect(logged.length).toBeGreaterThan(15);
  expect(new Set(documented)).toEqual(new Set(logged));
});

test('every message is listed once', () => {
  expect(documented).toHaveLength(new Set(documented).size);
});

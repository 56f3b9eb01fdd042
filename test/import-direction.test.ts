import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', 'src');

/** What each folder may import; itself always. */
const allowed: Record<string, readonly string[]> = {
  lib: [],
  domain: [],
  budget: ['domain', 'lib'],
  api: ['budget', 'domain', 'lib'],
  tally: ['domain', 'lib'],
  windows: ['tally', 'domain', 'lib'],
  store: ['windows', 'tally', 'domain', 'lib'],
  state: ['store', 'windows', 'tally', 'api', 'budget', 'domain', 'lib'],
  exposition: ['state', 'windows', 'api', 'budget', 'domain', 'lib'],
  schedule: ['state', 'store', 'windows', 'tally', 'api', 'budget', 'domain', 'lib'],
  config: ['schedule', 'exposition', 'state', 'windows', 'api', 'budget', 'domain', 'lib'],
  http: ['exposition', 'state', 'windows', 'api', 'budget', 'domain', 'lib'],
  rules: ['config', 'windows'],
  sandbox: ['domain', 'lib'],
  cli: [
    ...[
      'config',
      'rules',
      'http',
      'schedule',
      'sandbox',
      'exposition',
      'state',
      'store',
      'tally',
      'windows',
    ],
    ...['api', 'budget', 'domain', 'lib'],
  ],
  'main.ts': ['cli'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);

function folderOf(path: string): string {
  return path.split(sep)[0] ?? '';
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? '')),
  );
}

function cycleFrom(file: string, path: readonly string[], done: Set<string>): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of importsOf(file)) {
    const cycle = cycleFrom(next, [...path, file], done);
    if (cycle !== undefined) return cycle;
  }
  done.add(file);
  return undefined;
}

describe('imports between the folders of src', () => {
  test('every folder has a rule', () => {
    expect(new Set(files.map(folderOf))).toEqual(new Set(Object.keys(allowed)));
  });

  test.each(Object.keys(allowed))('%s imports only what lies below it', (folder) => {
    const own = files.filter((file) => folderOf(file) === folder);
    const wrong = own.flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) !== folder)
        .filter((target) => !allowed[folder]?.includes(folderOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(own).not.toHaveLength(0);
    expect(wrong).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const done = new Set<string>();
    const cycles = files.map((file) => cycleFrom(file, [], done)).filter((cycle) => cycle);
    expect(cycles).toEqual([]);
  });

  test('clock, randomness and process are used directly only in lib, cli and main', () => {
    const direct =
      /Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|Math\.random\(|process\.\w|performance\.now\(/;
    const wrong = files
      .filter((file) => !['lib', 'cli', 'main.ts'].includes(folderOf(file)))
      .filter((file) => direct.test(readFileSync(join(root, file), 'utf8')));
    expect(wrong).toEqual([]);
  });
});

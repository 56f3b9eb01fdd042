import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', 'src');

/** The imports that each folder may have besides itself: folders, or single files of one. */
const allowed: Record<string, readonly string[]> = {
  lib: [],
  domain: ['lib'],
  budget: ['domain', 'lib'],
  api: ['budget', 'domain', 'lib'],
  tally: ['domain', 'lib'],
  slo: ['tally', 'domain', 'lib'],
  store: ['slo', 'tally', 'budget', 'domain', 'lib'],
  state: ['store', 'slo', 'tally', 'api', 'budget', 'domain', 'lib'],
  exposition: ['state', 'slo', 'api', 'budget', 'domain', 'lib'],
  schedule: ['state', 'store', 'api', 'budget', 'domain', 'lib'],
  datasets: ['schedule', 'state', 'slo', 'tally', 'api', 'domain', 'lib'],
  config: [...['schedule', 'exposition', 'slo', 'api', 'budget', 'domain', 'lib']],
  http: ['exposition', 'state', 'slo', 'api', 'budget', 'domain', 'lib'],
  rules: ['config', 'slo', 'lib'],
  remote: ['config', 'lib'],
  'feature.ts': ['http', 'datasets', 'schedule', 'state', 'store', 'api', 'domain', 'lib'],
  backfill: [
    ...['feature.ts', 'remote', 'config', 'datasets', 'http', 'schedule', 'exposition'],
    ...['state', 'store', 'slo', 'tally', 'api', 'budget', 'domain', 'lib'],
  ],
  months: [
    ...['feature.ts', 'remote', 'config', 'datasets', 'http', 'schedule', 'exposition'],
    ...['state', 'store', 'slo', 'tally', 'api', 'domain', 'lib'],
  ],
  'ownership.ts': ['http', 'exposition', 'store', 'lib'],
  replicas: ['ownership.ts', 'http', 'store', 'lib'],
  app: [
    ...[
      'config',
      'http',
      'datasets',
      'schedule',
      'exposition',
      'state',
      'store',
      'feature.ts',
      'ownership.ts',
      'replicas',
      'backfill',
      'months',
      'tally',
    ],
    ...['slo', 'api', 'budget', 'domain', 'lib'],
  ],
  cli: [
    ...['app', 'rules', 'remote', 'config', 'http', 'datasets', 'schedule', 'exposition'],
    ...['backfill', 'months', 'slo', 'tally', 'api', 'budget', 'domain', 'lib'],
  ],
  'main.ts': ['cli'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.tsx?$/.test(path),
);

/** The rule of a file: its own, or that of its folder. */
function layerOf(path: string): string {
  return path in allowed ? path : folderOf(path);
}

function folderOf(path: string): string {
  return path.split(sep)[0] ?? '';
}

function mayImport(file: string, target: string): boolean {
  const layer = layerOf(file);
  const targets = allowed[layer] ?? [];
  return (
    folderOf(target) === layer || targets.includes(target) || targets.includes(folderOf(target))
  );
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? '')),
  );
}

/** Adds the file and everything that it imports statically, except types. */
function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path = ''] of source.matchAll(
    /^(?:import|export) (?!type )[^;]*?from '(\.[^']*)'/gm,
  )) {
    load(relative(root, join(root, dirname(file), path)), loaded);
  }
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
    expect(new Set(files.map(layerOf))).toEqual(new Set(Object.keys(allowed)));
  });

  test.each(Object.keys(allowed))('%s imports only what lies below it', (layer) => {
    const own = files.filter((file) => layerOf(file) === layer);
    const wrong = own.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport(file, target))
        .map((target) => `${file} → ${target}`),
    );
    expect(own).not.toHaveLength(0);
    expect(wrong).toEqual([]);
  });

  test('what several pages share imports no page', () => {
    const common = join('http', 'common');
    const below = ['common', 'ports.ts', 'assets.ts'].map((name) => join('http', name));
    const wrong = files
      .filter((file) => dirname(file) === common)
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => folderOf(target) === 'http')
          .filter((target) => !below.some((known) => target.startsWith(known)))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('only the commands demo and sandbox import the simulated service, by its name', () => {
    const importing = files.flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const names = [...source.matchAll(/\bfrom '([^'\n]*)'|\bimport\('([^'\n]*)'\)/g)].map(
        ([, name, dynamic = '']) => name ?? dynamic,
      );
      return names
        .filter((name) => name.startsWith('uptime-sandbox') || name.includes('../sandbox'))
        .map((name) => `${file} → ${name}`);
    });
    expect(importing.sort()).toEqual([
      'cli/demo-past.ts → uptime-sandbox',
      'cli/demo.ts → uptime-sandbox',
      'cli/sandbox-flags.ts → uptime-sandbox',
      'cli/sandbox.ts → uptime-sandbox',
    ]);
  });

  // The others also compare sums, pages and commands with what the simulated service knows.
  test.each([
    'api',
    'backfill',
    'budget',
    'datasets',
    'domain',
    'lib',
    'rules',
    'schedule',
    'state',
  ])('the tests of %s do without the simulated service', (folder) => {
    const tests = join('..', 'test', folder);
    const loaded = new Set<string>();
    for (const name of readdirSync(join(root, tests), { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.test.ts')) load(join(tests, name), loaded);
    }
    expect(loaded.size).toBeGreaterThan(1);
    expect([...loaded].filter((file) => file.startsWith(join('..', 'sandbox')))).toEqual([]);
  });

  test.each([
    ['main.ts', ['cli/process.ts'], 'so that an old Node.js is told that it is old'],
    ['cli/process.ts', ['cli/run.ts'], 'so that a signal during start-up is handled'],
    [
      'cli',
      ['replicas/postgres/session.ts'],
      'so that a store in a folder loads no client of a database',
    ],
    ['config', ['api/http/client.ts', 'api/http/connection.ts'], 'so that it loads no client'],
  ])('%s does not load %j at run time, %s', (layer, forbidden) => {
    const loaded = new Set<string>();
    for (const file of files.filter((name) => [name, layerOf(name)].includes(layer)))
      load(file, loaded);
    expect(forbidden.filter((file) => loaded.has(file))).toEqual([]);
  });

  test('no folder may import itself through others', () => {
    const above = new Map<string, ReadonlySet<string>>();
    const below = (layer: string, path: readonly string[]): ReadonlySet<string> => {
      if (path.includes(layer)) throw new Error([...path, layer].join(' → '));
      const known = above.get(layer);
      if (known !== undefined) return known;
      const folders = (allowed[layer] ?? []).map(folderOf);
      const all = new Set(
        folders.flatMap((folder) => [folder, ...below(folder, [...path, layer])]),
      );
      above.set(layer, all);
      return all;
    };
    for (const layer of Object.keys(allowed)) expect(below(layer, []).has(layer)).toBe(false);
  });

  test.each(['src', 'bench', 'scripts'])(
    'no file of %s imports itself through others',
    (folder) => {
      const path = join('..', folder);
      const sources = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
        .map((name) => relative(root, join(root, path, name)));
      const done = new Set<string>();
      const cycles = sources.map((file) => cycleFrom(file, [], done)).filter((cycle) => cycle);
      expect(sources).not.toHaveLength(0);
      expect(cycles).toEqual([]);
    },
  );

  test('clock, randomness and process are used directly only in lib, app, commands and main', () => {
    const direct =
      /Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|Math\.random\(|process\.\w|performance\.now\(/;
    const wrong = files
      .filter((file) => !['lib', 'app', 'cli', 'main.ts'].includes(folderOf(file)))
      .filter((file) => !file.startsWith('backfill/command/'))
      .filter((file) => direct.test(readFileSync(join(root, file), 'utf8')));
    expect(wrong).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
const sources = filesIn('src');

/** What a file imports: paths below this package, or names of packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\() ?'([@\w./:-]+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  );
}

function cycleFrom(file: string, path: readonly string[], done: Set<string>): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of importsOf(file).filter((name) => name.startsWith('src/'))) {
    const cycle = cycleFrom(next, [...path, file], done);
    if (cycle !== undefined) return cycle;
  }
  done.add(file);
  return undefined;
}

test('sources import only sources of the package, Node.js and declared dependencies', () => {
  const allowed = (name: string) =>
    name.startsWith('src/') || name.startsWith('node:') || Object.hasOwn(dependencies, name);
  const wrong = sources.flatMap((file) =>
    importsOf(file).flatMap((name) => (allowed(name) ? [] : [`${file} → ${name}`])),
  );

  expect(sources.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test('tests import nothing from outside the package', () => {
  const wrong = filesIn('test').flatMap((file) =>
    importsOf(file).flatMap((name) => (name.startsWith('..') ? [`${file} → ${name}`] : [])),
  );
  expect(wrong).toEqual([]);
});

test('no file imports itself through others', () => {
  const done = new Set<string>();
  expect(sources.flatMap((file) => cycleFrom(file, [], done) ?? [])).toEqual([]);
});

test('clock, randomness and process come from outside', () => {
  const direct =
    /Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|Math\.random\(|process\.\w|performance\.now\(/;
  const wrong = sources.filter((file) => direct.test(readFileSync(join(root, file), 'utf8')));
  expect(wrong).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Words that the glossary of docs/architecture.md replaces, as parts of exported names and of
 * headings.
 */
const replaced: { readonly [word: string]: string } = {
  AgendaItem: 'refresh task',
  Answer: 'response',
  Damaged: 'corrupt',
  Departed: 'removed',
  Forgotten: 'removed',
  Former: 'ended or previous',
  Gone: 'removed',
  Persist: 'store',
  Reading: 'list, report or evidence',
  Reply: 'response',
  Retired: 'removed',
  Saving: 'store',
  Tell: 'print, report or show',
  Told: 'reported or shown',
  Unlisted: 'removed',
  Windowed: 'SLO',
};

const root = join(import.meta.dirname, '..');
const exported =
  /^export (?:abstract |async )*(?:const|function|class|interface|type|enum) (\w+)/gm;
const heading = /^#+ (.+)$/gm;

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));
}

function found(file: string, pattern: RegExp): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** A word begins a part of a name: `Gone` is in `isGone` and in `gone`, not in `Gonetal`. */
function partOf(word: string): RegExp {
  const [first = '', ...rest] = word;
  return new RegExp(`(?:^${first.toLowerCase()}|${first})${rest.join('')}(?![a-z])`);
}

function oldWordsIn(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    Object.entries(replaced)
      .filter(([word]) => partOf(word).test(name))
      .map(([word, better]) => `${name}: ${word} is ${better}`),
  );
}

test('exported names use the words of the glossary', () => {
  const sources = ['src', 'sandbox/src'].flatMap((folder) => filesOf(folder, /\.tsx?$/));
  const names = sources.flatMap((file) => found(file, exported));

  expect(names.length).toBeGreaterThan(1000);
  expect(oldWordsIn(names)).toEqual([]);
});

/** Exported by two files of `src`: the same thing for another value, or for another room. */
const exportedTwice: readonly string[] = [
  // Readers of fields: of responses, of stored rows, and schemas of documents.
  ...['Reader', 'amount', 'flag', 'optional', 'text'],
  // Of the status page, and of a public one.
  'headline',
  // What commands use of the process; those that ask a running exporter use less.
  'Terminal',
];

test('no name is exported for two different things', () => {
  const files = filesOf('src', /\.tsx?$/);
  const exporting = files.flatMap((file) => [...new Set(found(file, exported))]);
  const twice = exporting.filter((name, place) => exporting.indexOf(name) !== place);
  expect(twice.toSorted()).toEqual(exportedTwice.toSorted());
});

test('headings of documents use the words of the glossary', () => {
  const headings = filesOf('docs', /\.md$/).flatMap((file) => found(file, heading));

  expect(headings.length).toBeGreaterThan(100);
  expect(oldWordsIn(headings)).toEqual([]);
});

test('a word is found in any part of a name', () => {
  expect(oldWordsIn(['DepartedAccounts', 'goneItems', 'isGone', 'Gonetal', 'reader'])).toEqual([
    'DepartedAccounts: Departed is removed',
    'goneItems: Gone is removed',
    'isGone: Gone is removed',
  ]);
});

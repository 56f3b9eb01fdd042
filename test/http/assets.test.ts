import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..', '..', 'src');
const folder = join(source, 'http', 'assets');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const scripts = readdirSync(folder)
  .filter((file) => file.endsWith('.js'))
  .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
const views = files
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');
const allScripts = scripts.map(([, text]) => text).join('\n');

/** What views or scripts write: attributes with `data-`, and classes. */
const attributes = new Set([...views.matchAll(/[\s'"](data-[\w-]+)/g)].map(([, name]) => name));
const classes = new Set(
  [
    ...views.matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g),
    ...allScripts.matchAll(/className = ['"`]([^'"`]*)/g),
  ].flatMap(([, text = '', expression = '']) => `${text} ${expression}`.match(/[\w-]+/g) ?? []),
);

/** The selectors that a script asks for. */
function selectors(text: string): string {
  const calls = /(?:querySelector(?:All)?|closest|matches)\(\s*(['"`])(.*?)\1/gs;
  return [...text.matchAll(calls)]
    .map(([, , selector = '']) => selector.replaceAll(/\$\{[^}]*\}/g, ''))
    .join('\n');
}

test.each(scripts)('%s asks only for attributes and classes that something writes', (_, text) => {
  const asked = selectors(text);
  const byName = [...text.matchAll(/getAttribute\('(data-[\w-]+)'\)/g)].map(([, name]) => name);
  const inSelectors = [...asked.matchAll(/\[(data-[\w-]+)/g)].map(([, name]) => name);
  expect([...byName, ...inSelectors].filter((name) => !attributes.has(name))).toEqual([]);
  const asClass = [...asked.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
  expect(asClass.filter((name) => !classes.has(name))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueMarkdown } from '../src/cli/metrics.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the table of metrics in the README is that of the catalogue', () => {
  const [, after = ''] = readme.split('<!-- metrics: written by `npm run docs` -->\n\n');
  const [table] = after.split('\n<!-- end of metrics -->');
  expect(table).toBe(catalogueMarkdown());
});

test('every npm command in the README exists', () => {
  const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(commands).not.toHaveLength(0);
  for (const command of commands) expect(manifest.scripts).toHaveProperty([command ?? '']);
});

test('every decision is in the list of decisions, under its own title', () => {
  const folder = join(root, 'docs', 'decisions');
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  const listed = [...list.matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)].map(
    ([, number, title, file]) => [file, `# ${number}. ${title}`],
  );
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  const titles = files.map((file) => [
    file,
    readFileSync(join(folder, file), 'utf8').split('\n', 1)[0],
  ]);
  expect(listed).toEqual(titles.sort());
});

test('every dependency has its reason', () => {
  const reasons = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8');
  const named = [...reasons.matchAll(/^\| (\S+) \|/gm)].map(([, name]) => name);
  const wanted = [
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.devDependencies).filter((name) => !name.startsWith('@types/')),
    '@types/*',
  ];
  expect(named.filter((name) => name !== 'Package' && name !== '---').sort()).toEqual(
    wanted.sort(),
  );
});

test('the table of performance in the README is that of the last bench', () => {
  const { targets } = JSON.parse(readFileSync(join(root, 'docs', 'performance.json'), 'utf8'));
  const [, after = ''] = readme.split('<!-- performance: written by `npm run docs` -->\n\n');
  const [table = ''] = after.split('\n<!-- end of performance -->');
  const rows = [...table.matchAll(/^\| (.+?) \| .* \| (yes|\*\*no\*\*) \|$/gm)];
  const isMet = (target: { wanted: string; measured: number; limit: number }) =>
    target.wanted === 'at least'
      ? target.measured >= target.limit
      : target.measured <= target.limit;
  expect(rows.map(([, what, met]) => [what, met === 'yes'])).toEqual(
    targets.map((target: { what: string; wanted: string; measured: number; limit: number }) => [
      target.what,
      isMet(target),
    ]),
  );
});

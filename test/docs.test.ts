import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueMarkdown } from '../src/cli/metrics.ts';

const root = join(import.meta.dirname, '..');
const documentOf = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('docs/metrics.md has the table of the catalogue', () => {
  const [, after = ''] = documentOf('docs/metrics.md').split(
    '<!-- metrics: written by `npm run docs` -->\n\n',
  );
  const [table] = after.split('\n<!-- end of metrics -->');
  expect(table).toBe(catalogueMarkdown());
});

test('the installation guide names the image and the chart of this version', () => {
  const named = documentOf('docs/installation.md').matchAll(/(?:exporter:|--version )(\d\S*)/g);
  expect([...named].map(([, version]) => version)).toEqual([manifest.version, manifest.version]);
});

test.each(['README.md', 'CONTRIBUTING.md'])('every npm command in %s exists', (path) => {
  const commands = [...documentOf(path).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(commands).not.toHaveLength(0);
  for (const command of commands) expect(manifest.scripts).toHaveProperty([command ?? '']);
});

/** `node_modules`, `dist` and the files of a user are not part of the repository. */
const folders = 'src|sandbox|test|docs|alerts|bench|dashboards|deploy|examples|scripts|tools|\\.ci';
const namedPath = new RegExp(`(?<![\\w./-])((?:${folders})/[\\w./*-]*[\\w*]|[A-Z]+\\.md)`, 'g');

/** Created by a command in the document. */
const made = new Set(['examples/secrets', 'examples/secrets/token', 'tools/bin']);

const pages = [
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'sandbox/README.md',
  'sandbox/docs/reference.md',
];

test.each([
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['examples/slo/README.md', 'test/support/README.md'],
  ...pages,
])('every path and link in %s leads somewhere', (path) => {
  const text = documentOf(path);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)].map(
    ([, target = '', anchor = '']) => ({
      file: target === '' ? path : normalize(join(dirname(path), target)),
      anchor,
    }),
  );
  const paths = [...text.replaceAll(/\]\([^)]*\)/g, ']').matchAll(namedPath)].map(
    ([, name = '']) => name,
  );
  const missing = [...paths, ...links.map(({ file }) => file)].filter(
    (name) => !made.has(name) && !existsSync(join(root, name.replace(/\/\*.*$/, ''))),
  );
  expect(missing).toEqual([]);

  const broken = links.filter(
    ({ file, anchor }) => anchor !== '' && !headingsOf(documentOf(file)).has(anchor.slice(1)),
  );
  expect(broken).toEqual([]);
});

test('every page and heading that code, rules, boards or manifests name exists', () => {
  const folders = [
    'src',
    'sandbox/src',
    'alerts',
    'dashboards',
    'deploy',
    'examples',
    'scripts',
    'bench',
  ];
  const named = new Map<string, string>();
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, name);
      if (!statSync(join(root, file)).isFile()) continue;
      for (const [link] of documentOf(file).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)) {
        named.set(link, file);
      }
      // The links of alerts lead to the exporter's copy of the runbook.
      for (const [, anchor] of documentOf(file).matchAll(/\/runbook(#\w+)/g)) {
        named.set(`docs/runbook.md${anchor}`, file);
      }
    }
  }
  expect(named.size).toBeGreaterThan(40);
  const broken = [...named].filter(([link]) => {
    const [page = '', anchor] = link.split('#');
    if (!existsSync(join(root, page))) return true;
    return anchor !== undefined && !headingsOf(documentOf(page)).has(anchor);
  });
  expect(broken).toEqual([]);
});

/** The anchor that GitHub derives from a heading. */
function headingsOf(text: string): ReadonlySet<string> {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(
  ['CONTRIBUTING.md', ...pages].filter((path) => {
    const text = documentOf(path);
    return text.split('\n').length > 60 && (text.match(/^## /gm)?.length ?? 0) > 2;
  }),
)('%s begins with a list of its sections', (path) => {
  const [top = '', ...sections] = documentOf(path).split('\n## ');
  const listed = [...top.matchAll(/\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  const headings = sections.flatMap((section) => [...headingsOf(`## ${section.split('\n')[0]}`)]);
  expect(headings.filter((anchor) => !listed.includes(anchor))).toEqual([]);
});

test('every family that a page names exists', () => {
  const table = documentOf('docs/metrics.md').matchAll(/^\| `(uptime_\w+)`/gm);
  const families = new Set([...table].map(([, name]) => name));
  // Tags of objectives have the same beginning; a name that ends with `_` or `*` is of several.
  const unknown = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages].flatMap((path) =>
    [...documentOf(path).matchAll(/\buptime_\w+/g)]
      .map(([name]) => name)
      .filter((name) => !/_$|^uptime_(?:slo_\d+|exporter)$/.test(name))
      .filter((name) => !families.has(name.replace(/_(?:bucket|sum|count)$/, '')))
      .map((name) => `${path}: ${name}`),
  );
  expect(families.size).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

test('every recorded series that a page names exists', () => {
  const files = ['alerts', 'alerts/with'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => documentOf(`${folder}/${name}`)),
  );
  const records = new Set(
    files.flatMap((text) => [...text.matchAll(/- record: (\S+)/g)].map(([, name]) => name)),
  );
  const named = pages.flatMap((path) =>
    [...documentOf(path).matchAll(/\buptime:[\w:]+/g)].map(([name]) => name),
  );
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !records.has(name))).toEqual([]);
});

test('every alert that a page names exists', () => {
  const runbook = documentOf('docs/runbook.md');
  const unknown = pages.flatMap((path) =>
    [...documentOf(path).matchAll(/\bUptime(?:[A-Z][a-z]+)+\b/g)]
      .map(([name]) => name)
      .filter((name) => !runbook.includes(`\n## ${name}\n`))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('the boards and panels that the runbook names exist', () => {
  const folder = join(root, 'dashboards');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const titles = files.flatMap((file) => titlesIn(JSON.parse(documentOf(`dashboards/${file}`))));
  // A name with a small first letter is a line of a panel.
  const named = [...documentOf('docs/runbook.md').matchAll(/(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)/g)];
  expect(named.length).toBeGreaterThan(10);
  expect(named.map(([, name]) => name).filter((name = '') => !titles.includes(name))).toEqual([]);
});

function titlesIn(board: unknown): readonly string[] {
  if (typeof board !== 'object' || board === null) return [];
  const title = 'title' in board && typeof board.title === 'string' ? [board.title] : [];
  return [...title, ...Object.values(board).flatMap(titlesIn)];
}

test('the index lists every document once', () => {
  const index = documentOf('docs/README.md');
  const listed = [...index.matchAll(/\]\(([\w./-]+\.md)(?:#[^)]*)?\)/g)].map(([, name]) => name);
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect([...listed].sort()).toEqual(
    [
      ...written.filter((name) => name !== 'README.md'),
      ...[
        ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
        ...['sandbox/README.md', 'sandbox/docs/reference.md'],
      ].map((name) => `../${name}`),
      'decisions/README.md',
      ...readdirSync(join(root, 'docs/replicas'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `replicas/${name}`),
    ].sort(),
  );
});

test('the first command of the README needs nothing but a clone', () => {
  const [, quickStart = ''] = documentOf('README.md').split('## Quick start\n');
  const [first = ''] = quickStart.match(/^ {4}.+$/m) ?? [];
  expect(first.trim()).toBe('npm ci && npm run demo');
  expect(manifest.scripts).toHaveProperty('demo');
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

test('docs/performance.md compares with the last measurement of the other programs', () => {
  const measured: readonly {
    readonly machine: string;
    readonly programs: { readonly rows: readonly (readonly string[])[] };
  }[] = JSON.parse(readFileSync(join(root, 'bench', 'measured', 'reference.json'), 'utf8'));
  const { programs } = measured.find(({ machine }) => machine.startsWith('Node v20.')) ?? {};
  const ofSize = (rate: string) =>
    programs?.rows.find(([checks, , scrapes]) => checks === '25,000' && scrapes === rate) ?? [];
  const seconds = (text: string) => `${(Number(text.replace(',', '')) / 1000).toFixed(1)} s`;
  const cells = (rate: string) => ofSize(rate).slice(3, 6).map(seconds).join(' | ');

  const document = documentOf('docs/performance.md');

  expect(document).toContain(`| CPU a minute, one scrape | ${cells('1')} |`);
  expect(document).toContain(`| CPU a minute, four scrapes | ${cells('4')} |`);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { expect, test } from 'vitest';
import { markdownSections } from '../../../src/http/common/markdown.tsx';
import { runbookView } from '../../../src/http/runbook/runbook.tsx';
import { alertNames } from '../../../src/rules/template.ts';
import { testApp } from '../../support/http-app.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const document = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');

async function page(): Promise<string> {
  const { status, text, headers } = await request(testApp()).get('/runbook');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return text;
}

test('/runbook has a section for each alert, and every link within it leads somewhere', async () => {
  const text = await page();
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const name of alertNames) expect(ids, name).toContain(name.toLowerCase());
  // Grafana, whose board links to the section, cannot write a name in lower case.
  for (const name of alertNames) expect(ids, name).toContain(name);
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((id) => !ids.has(id))).toEqual([]);
});

test('/runbook has every word of the document, without its marks', async () => {
  const html = await page();
  const plain = (text: string) =>
    text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  const withoutTargets = document.replaceAll(/\]\([^)]*\)/g, ']');
  const shown = new Set(wordsOf(plain(html)));
  expect(wordsOf(withoutTargets).filter((word) => !shown.has(word))).toEqual([]);
  expect(plain(html.slice(html.indexOf('<main')))).not.toMatch(/\*\*|\]\(/);
});

test('marks become elements, and texts stay texts', () => {
  const text = [
    '# Title',
    '',
    'A `code <b>` with **bold [link](#title)** and *words*, [elsewhere](operating.md#restore).',
    '',
    '## Next, & more',
    '',
    '- one',
    '  goes on',
    '- two',
    '',
    '1. first',
    '   goes on',
    '2. second',
    '',
    '| A | B |',
    '| --- | --- |',
    '| x \\| y | `z` |',
    '',
    '    echo "*" | cat',
  ].join('\n');
  const [, next] = markdownSections(text);
  expect(next).toMatchObject({ title: 'Next, & more', anchor: 'next--more' });
  const html = runbookView(
    {
      root: './',
      assets: {
        style: '',
        refreshScript: '',
        timesScript: '',
        stripsScript: '',
        chartStyle: '',
        chartLibrary: '',
        chartScript: '',
      },
      version: '1',
      telemetryPath: '/metrics',
      hasConfiguration: false,
      links: {},
      nowSeconds: 0,
      pages: [],
    },
    text,
  );
  for (const part of [
    '<code>code &lt;b></code>',
    '<strong>bold <a href="#title">link</a></strong>',
    '<em>words</em>',
    'elsewhere (docs/operating.md)',
    '<ul><li>one goes on</li><li>two</li></ul>',
    '<ol><li>first goes on</li><li>second</li></ol>',
    '<td data-label="A">x | y</td>',
    '<pre>echo &quot;*&quot; | cat</pre>',
  ]) {
    expect(html).toContain(part);
  }
});

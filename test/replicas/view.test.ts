import { render } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { SharedAccountView } from '../../src/http/ports.ts';
import { replicasSection } from '../../src/replicas/view.tsx';

const held = { account: 'shop', isHeld: true, holder: 'one', remainingSeconds: 20 };
const elsewhere = { account: 'blog', isHeld: false, remainingSeconds: 0 };
const since = { sinceSeconds: Date.parse('2026-03-01T12:00:00Z') / 1000 };

/** The cells of the table, row by row. */
function cells(accounts: readonly SharedAccountView[], isDatabaseUp = true) {
  const html = render(replicasSection({ replica: 'one', isDatabaseUp, accounts }));
  const rows = [...html.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/gs)];
  return rows.map(([, row = '']) =>
    row.split(/<td[^>]*>/).map((cell) => cell.replaceAll(/<[^>]*>/g, '')),
  );
}

test('the owner of an account is shown, and since when', () => {
  expect(cells([{ ...held, ...since }])).toEqual([
    ['shop', 'this replica', expect.stringContaining('12:00')],
  ]);
  expect(cells([{ ...elsewhere, holder: 'two' }])).toEqual([['blog', 'two', '']]);
  expect(cells([elsewhere])).toEqual([['blog', 'nobody', '']]);
});

test('while the database does not answer, the heading says so, and only what this replica holds is known', () => {
  const headingOf = (isDatabaseUp: boolean) =>
    render(replicasSection({ replica: 'one', isDatabaseUp, accounts: [] })).split('</h2>')[0];
  expect(headingOf(false)).toContain('database does not answer');
  expect(headingOf(true)).not.toContain('answer');
  expect(cells([held, { ...elsewhere, holder: 'two' }], false)).toEqual([
    ['shop', 'this replica', ''],
    ['blog', 'not known', ''],
  ]);
});

test('the name of another replica is a link to its views, if they have an address', () => {
  const accounts = [{ ...elsewhere, holder: 'two', url: 'http://two:9158/' }];
  const html = render(replicasSection({ replica: 'one', isDatabaseUp: true, accounts }));
  expect(html).toContain('<a href="http://two:9158/">two</a>');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { compatExporters } from '../../../src/exposition/compat/compat-exporters.ts';
import { defaultCompatOptions } from '../../../src/exposition/compat/compat-options.ts';

const document = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'migration.md'),
  'utf8',
);
const rows = document.split('\n').filter((line) => line.startsWith('| `pingdom_'));

/** The rows that are about a family, by the row's first cell. */
function rowsOf(family: string): string[] {
  return rows.filter((row) => row.split('|')[1]?.includes(`\`${family}\``));
}

test.each(Object.entries(compatExporters))('every family of %s has a row', (_, exporter) => {
  const format = /^(\w+):(.+)$/;
  const families = [
    ...exporter.accountFamilies(defaultCompatOptions),
    ...exporter.checkFamilies(defaultCompatOptions),
    ...exporter.checkFamilies({
      ...defaultCompatOptions,
      parsedTags: { format, extraLabels: [] },
    }),
  ];
  for (const { name } of families)
    expect({ name, rows: rowsOf(name).length }).toMatchObject({ name, rows: 1 });
});

test('every family that it leads to exists', () => {
  const known = new Set(catalogue.flatMap(({ families }) => families.map(({ name }) => name)));
  const named = [...document.matchAll(/\buptime_(?!slo_)[a-z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(15);
  for (const name of named) expect(known).toContain(name);
});

test('every alert that it leads to exists', () => {
  const alerts = readFileSync(join(import.meta.dirname, '../../../alerts/uptime.yaml'), 'utf8');
  const named = [...document.matchAll(/`(Uptime[A-Za-z]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(2);
  for (const name of named) expect(alerts).toContain(`alert: ${name}\n`);
});

import { catalogue } from '../exposition/catalogue/catalogue.ts';
import { allLabels, type Family, unitOf } from '../exposition/catalogue/family.ts';
import type { Terminal } from './terminal.ts';

const head = [
  '| Family | Type | Unit | Labels | Dataset | Meaning |',
  '| --- | --- | --- | --- | --- | --- |',
];

/** Returns the catalogue of metrics as Markdown, one table per section. */
export function catalogueMarkdown(): string {
  const sections = catalogue.map(({ title, families }) =>
    [`### ${title}`, '', ...head, ...families.map(row)].join('\n'),
  );
  const runtime = 'The `process_*` and `nodejs_*` families of prom-client are exposed as well.';
  return `${[...sections, runtime].join('\n\n')}\n`;
}

function row(family: Family): string {
  const cells = [
    code(family.name),
    family.type,
    unitOf(family.name) ?? '',
    allLabels(family).map(code).join(', '),
    (family.byDataset ?? [family]).map(({ dataset = '' }) => dataset).join(', '),
    family.help.replaceAll('|', '\\|'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

export function printMetrics(terminal: Terminal): void {
  terminal.stdout.write(catalogueMarkdown());
}

import { catalogue } from '../exposition/catalogue/catalogue.ts';
import {
  allLabels,
  type Family,
  type LeanPart,
  partsOf,
  unitOf,
} from '../exposition/catalogue/family.ts';
import type { Terminal } from './terminal.ts';

const head = [
  '| Family | Type | Unit | Labels | Dataset | Lean | Meaning |',
  '| --- | --- | --- | --- | --- | --- | --- |',
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
    [...new Set(partsOf(family).map(({ dataset = '' }) => dataset))].join(', '),
    leanText(family),
    family.help.replaceAll('|', '\\|'),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What `metrics: lean` serves of a family. */
function leanText({ lean: part }: Family): string {
  if (part === undefined) return 'yes';
  return typeof part === 'string' ? leanTexts[part] : part.values.map(code).join(', ');
}

const leanTexts: { readonly [P in Extract<LeanPart, string>]: string } = {
  nothing: 'no',
  ones: 'those that are 1',
  events: 'from the first event on',
  'hourly results': 'if results are hourly',
};

function code(text: string): string {
  return `\`${text}\``;
}

export function printMetrics(terminal: Terminal): void {
  terminal.stdout.write(catalogueMarkdown());
}

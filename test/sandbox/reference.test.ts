import { expect, test } from 'vitest';
import { adminActions } from '../../src/sandbox/admin/actions.ts';
import { faultKinds } from '../../src/sandbox/faults/faults.ts';
import { quirkKinds } from '../../src/sandbox/faults/quirks.ts';
import { sandboxOperations } from '../../src/sandbox/operations/operations.ts';
import { documentForms } from '../../src/sandbox/wire-forms.ts';

test('docs/sandbox-reference.md lists every fault, operation, quirk, document form and admin action', async () => {
  const document = [
    '# Sandbox reference',
    'What can be asked of the simulated service beside the API. [sandbox.md](sandbox.md) tells how; this page is written by `npm run docs`.',
    '## Faults',
    described('Fault', faultKinds),
    '## Operations',
    'What a fault can be limited to: `--fault=html@checks`, or `"operation": "checks"`. [conformance.md](conformance.md) sets beside each the name that it has in the metrics of the exporter.',
    table(
      ['Operation', 'What it does'],
      sandboxOperations.map(({ name, summary }) => [code(name), summary]),
    ),
    '## Quirks',
    described('Quirk', quirkKinds),
    '## Document forms',
    'Where recorded answers differ from the documents, the sandbox follows the recordings. `--document-form=milliseconds` answers as the documents say.',
    described('Document form', documentForms),
    '## Admin listener',
    table(
      ['Request', 'What it does', 'Example'],
      adminActions.map(({ method, path, summary, example }) => [
        code(`${method.toUpperCase()} ${path}`),
        summary,
        example === undefined ? '' : code(example),
      ]),
    ),
  ].join('\n\n');
  await expect(`${document}\n`).toMatchFileSnapshot('../../docs/sandbox-reference.md');
});

function described(
  title: string,
  kinds: Readonly<Record<string, { readonly description: string }>>,
): string {
  const rows = Object.entries(kinds).map(([name, { description }]) => [code(name), description]);
  return table([title, 'What happens'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

import { expect, test } from 'vitest';
import { sandboxOperations } from '../../src/sandbox/operations/operations.ts';
import { readBy, unread } from './client-operations.ts';
import { type DocumentedOperation, documentedOperations } from './documented-operations.ts';

const head = `# Conformance

Every operation of the API's documents, who has it here, and what proves it. The client only reads.

The sandbox column is proven by \`test/conformance/sandbox.test.ts\`, which sends each row as a request of
each of its versions; the client column by \`test/conformance/client.test.ts\`, which reads each from the
sandbox. Parameters, limits, errors and effects have tests of their own under \`test/sandbox\` and \`test/api\`.
This page is written by \`npm run docs\`.
`;

test('docs/conformance.md says what the tests prove', async () => {
  const sections = [...new Set(documentedOperations.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const rows = documentedOperations.filter((row) => row.section === section).map(tableRow);
    return [
      `\n## ${section}\n`,
      '| Versions | Operation | Sandbox | Client |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  await expect(`${head}${tables.join('\n')}\n`).toMatchFileSnapshot('../../docs/conformance.md');
});

function tableRow(row: DocumentedOperation): string {
  const { versions, method, path } = row;
  return `| ${versions.join(', ')} | \`${method} ${path}\` | \`${sandboxName(row)}\` | ${clientName(row)} |`;
}

function sandboxName({ method, path, versions }: DocumentedOperation): string {
  const place = path.replaceAll(/\{\w+\}/g, ':');
  const operation = sandboxOperations.find(
    (candidate) =>
      candidate.method.toUpperCase() === method &&
      candidate.path.replaceAll(/:\w+/g, ':') === place &&
      versions.every((version) => candidate.versions.includes(version)),
  );
  expect(operation, `${method} ${path}`).toBeDefined();
  return operation?.name ?? '';
}

function clientName({ method, path }: DocumentedOperation): string {
  if (method !== 'GET') return 'none: it writes';
  const operation = readBy[path];
  return operation === undefined ? `none: ${unread[path]}` : `\`${operation}\``;
}

import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxOperations } from '../../sandbox/src/operations/operations.ts';
import type { FreedomName } from '../../sandbox/src/wire.ts';
import {
  type DocumentedOperation,
  documentedOperations,
} from '../../sandbox/test/conformance/documented-operations.ts';
import { readBy, unread } from './client-operations.ts';

const head = `# Conformance

Every documented operation of the API, and whether the sandbox and the client implement it. The client only reads.

\`sandbox/test/conformance/sandbox.test.ts\` sends each row to the sandbox, in each of its versions;
\`test/conformance/client.test.ts\` reads each client operation from the sandbox. Parameters, limits, errors and effects are
tested under \`sandbox/test\` and \`test/api\`. \`npm run docs\` writes this page.
`;

/** For each freedom, a test of the exporter that needs it. */
const testOf: Readonly<Record<FreedomName, string>> = {
  reportsEnd: 'test/datasets/history.test.ts',
  reportsBegin: 'test/tally/transactions.property.test.ts',
  reportedStates: 'test/tally/transactions.property.test.ts',
  reportLagSeconds: 'test/tally/awaited-reports.property.test.ts',
  listLagSeconds: 'test/tally/list-times.test.ts',
  lateResultSeconds: 'test/tally/late-results.test.ts',
  confirmationSeconds: 'test/tally/late-results.test.ts',
  lateTestSeconds: 'test/tally/late-results.test.ts',
  lateStatusSeconds: 'test/tally/settle.test.ts',
  missedOutages: 'test/system/lags.night.test.ts',
  unknownInReports: 'test/tally/awaited-reports.test.ts',
  pausesInReports: 'test/tally/awaited-reports.test.ts',
  unknownTests: 'test/tally/settle.test.ts',
  unmeasured: 'test/api/traps-v31.test.ts',
  openDownEnd: 'test/life/freedoms.test.ts',
  downEnd: 'test/tally/awaited-reports.test.ts',
  lastErrors: 'test/life/freedoms.test.ts',
  recoveries: 'test/api/traps-v31.test.ts',
  responseTimes: 'test/api/traps-v31.test.ts',
  ids: 'test/api/traps-v31.test.ts',
  numbers: 'test/api/traps-v31.test.ts',
  attributes: 'test/life/freedoms.test.ts',
  emptyLists: 'test/api/traps-v31.test.ts',
  occurrences: 'test/datasets/maintenance.test.ts',
  maintenancePage: 'test/api/list.test.ts',
  words: 'test/api/traps-v31.test.ts',
  listOrder: 'test/life/freedoms.test.ts',
  repeatedResults: 'test/tally/result-tally.test.ts',
  omittedChecks: 'test/datasets/results.test.ts',
  hourLagSeconds: 'test/slo/settled-hours.test.ts',
  errorBodies: 'test/state/refusals.test.ts',
  stray401: 'test/state/refusals.test.ts',
  stray403: 'test/state/refusals.test.ts',
  missingLimits: 'test/budget/budget.property.test.ts',
  analysisDelaySeconds: 'test/system/analyses.test.ts',
  alertDelaySeconds: 'test/datasets/actions.test.ts',
  alertOutcomeSeconds: 'test/datasets/actions.test.ts',
  timeZone: 'test/slo/last-outages.test.ts',
  days: 'test/life/months.test.ts',
  resumedTests: 'test/life/freedoms.test.ts',
  transactionTimes: 'test/datasets/transaction-unit.test.ts',
  transactionType: 'test/life/freedoms.test.ts',
  requestHeaders: 'test/life/freedoms.test.ts',
  statesSpan: 'test/api/long-reports.test.ts',
  hoursSpan: 'test/system/backfill.test.ts',
};

test('operations.md shows what the tests prove', async () => {
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
  const list = sections.map((section) => `- [${section}](#${anchorOf(section)})`);
  const page = `${head}\n${list.join('\n')}\n- [Freedoms](#freedoms)\n${tables.join('\n')}\n${freedomsSection()}`;
  await expect(page).toMatchFileSnapshot('operations.md');
});

test('an operation has the same name in the sandbox and in the client', () => {
  const read = documentedOperations.filter(
    ({ method, path }) => method === 'GET' && readBy[path] !== undefined,
  );
  expect(read.map(sandboxName)).toEqual(read.map(({ path }) => readBy[path]));
});

function freedomsSection(): string {
  expect(Object.values(testOf).filter((file) => !existsSync(file))).toEqual([]);
  const rows = Object.entries(testOf).map(([name, file]) => `| \`${name}\` | \`${file}\` |\n`);
  return `
## Freedoms

Where the documents are silent, the sandbox responds in several ways; [wire](../../sandbox/docs/reference.md#wire) describes them.
\`test/life/freedoms.test.ts\` plays a life with each value of each; a test that needs the freedom is in the last column.

| Freedom | Tested in |
| --- | --- |
${rows.join('')}`;
}

/** The anchor that GitHub derives from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

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
  if (method !== 'GET') return '';
  const operation = readBy[path];
  return operation === undefined ? `none: ${unread[path]}` : `\`${operation}\``;
}

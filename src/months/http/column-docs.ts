import { type Column, pageColumns } from './columns.ts';
import { jsonHelp } from './json.ts';
import { outageColumns } from './outage-columns.tsx';
import { monthsColumn, rowColumns } from './row-columns.tsx';

/** The columns of the page as Markdown. */
export function pageColumnsMarkdown(): string {
  const rows = [...pageColumns(rowColumns), monthsColumn].map(
    ({ heading, help }) => `| ${heading} | ${help} |`,
  );
  return ['| Column | |', '| --- | --- |', ...rows, ''].join('\n');
}

/** The columns of the CSV files as Markdown. JSON has the same names, or those in brackets. */
export function csvColumnsMarkdown(): string {
  return [
    '`/report.csv`, whose first columns are `month` and `time_zone`:',
    '',
    ...listOf(rowColumns),
    '',
    '`/report-outages.csv`:',
    '',
    ...listOf(outageColumns),
    '',
    '`/report.json` has these lines as `groups`, `items` and `outages`, and of the whole report:',
    '',
    '| Field | |',
    '| --- | --- |',
    ...jsonHelp.map(([name, help]) => `| \`${name}\` | ${help} |`),
    '',
  ].join('\n');
}

function listOf<T>(columns: readonly Column<T>[]): readonly string[] {
  const rows = columns.map(({ name, json, help }) => {
    const inJson = json === undefined ? '' : ` (\`${json}\`)`;
    return `| \`${name}\`${inJson} | ${help} |`;
  });
  return ['| Column | |', '| --- | --- |', ...rows];
}

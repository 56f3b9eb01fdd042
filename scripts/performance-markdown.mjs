/** The tables that `npm run bench -- --table` measured. */
export function performanceMarkdown({ machine, date, targets, parts }) {
  return [
    `Measured on ${date} by \`npm run bench -- --table\`: ${machine}.`,
    '',
    table(targets),
    '',
    'What each part costs, in milliseconds of CPU, medians:',
    '',
    table(parts),
  ].join('\n');
}

/** The table of the memory section, which is measured in a separate run. */
export function memoryMarkdown({ machine, date, table: rows }) {
  return [`Measured on ${date}: ${machine}.`, '', table(rows)].join('\n');
}

/** The tables of the reference section. */
export function referenceMarkdown({ machine, date, targets, programs }) {
  return [`Measured on ${date}: ${machine}.`, '', table(programs), '', table(targets)].join('\n');
}

function table({ head, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

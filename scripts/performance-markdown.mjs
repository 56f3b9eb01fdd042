/** What was measured against what is wanted, from the JSON that `npm run bench` writes. */
export function performanceMarkdown({ node, page, targets }) {
  const { checks, series, plainBytes, gzipBytes } = page;
  const rows = targets.map(
    ({ what, measured, unit, wanted, limit }) =>
      `| ${what} | ${amount(measured, unit)} | ${wanted} ${limit} ${unit} | ${isMet(measured, wanted, limit) ? 'yes' : '**no**'} |`,
  );
  return [
    `Measured by \`npm run bench\` with Node ${node}: ${checks.toLocaleString('en')} checks, ${series.toLocaleString('en')} series, ${megabytes(plainBytes)} MB plain, ${megabytes(gzipBytes)} MB gzip.`,
    '',
    '| What | Measured | Wanted | Met |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function isMet(measured, wanted, limit) {
  return wanted === 'at least' ? measured >= limit : measured <= limit;
}

function amount(measured, unit) {
  const digits = measured < 100 ? 1 : 0;
  return `${measured.toFixed(measured < 1 ? 2 : digits)} ${unit}`;
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0);
}

import type { DatasetResult, RunResult } from './account-run.ts';
import type { NaiveResult } from './naive.ts';

/** Formats a run as text for people. */
export function budgetReport(run: RunResult): string {
  const { short, long } = run.windows;
  return [
    `${run.checks} checks, ${run.transactions} transactions on ${run.limits.short}/${run.limits.long}` +
      ` (30 virtual days in ${run.cpuSeconds.toFixed(1)} s)`,
    `  requests ${run.requests} (${run.eventRequests} for events), of others ${run.otherRequests}, refused ${run.refused}`,
    `  lowest remaining / reserve: short ${short.lowest} / ${short.reserve}, long ${long.lowest} / ${long.reserve};` +
      ` at worst ${run.margin} above it but for others`,
    `  outages shown ${run.outages.shown}, after a median of ${seconds(run.outages.medianSeconds)},` +
      ` 99th ${seconds(run.outages.p99Seconds)}; list every ${seconds(run.outages.listIntervalSeconds)}`,
    `  mean age of the datasets in turn: ${run.ageAgainstOptimum.toFixed(3)} of the optimum`,
    ...(run.switchedOff.length > 0
      ? [`  switched off as the plan says: ${run.switchedOff.join(', ')}`]
      : []),
    row('dataset', [
      'items',
      'requests',
      'mean age',
      '95th',
      'largest',
      'plan',
      'optimum',
      'ratio',
    ]),
    ...run.datasets.map(datasetRow),
    ...run.naive.map(naiveRow),
  ].join('\n');
}

function datasetRow(result: DatasetResult): string {
  return row(result.dataset, [
    String(result.items),
    String(result.requests),
    seconds(result.meanSeconds),
    seconds(result.p95Seconds),
    seconds(result.largestSeconds),
    seconds(result.plannedMeanSeconds),
    seconds(result.optimalMeanSeconds),
    (result.meanSeconds / result.optimalMeanSeconds).toFixed(2),
  ]);
}

function naiveRow(result: NaiveResult): string {
  const when = (at: number | undefined) => (at === undefined ? 'never' : `after ${seconds(at)}`);
  return (
    `  instead ${result.what}: first refused ${when(result.firstRefusedSeconds)},` +
    ` 30-day budget gone ${when(result.longGoneSeconds)},` +
    ` refused ${percent(result.refusedShare)} of its own and ${percent(result.othersRefusedShare)} of others' requests`
  );
}

function row(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(11)).join('')}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function seconds(value: number): string {
  if (value < 600) return `${value.toFixed(0)} s`;
  if (value < 36_000) return `${(value / 60).toFixed(0)} min`;
  if (value < 864_000) return `${(value / 3600).toFixed(1)} h`;
  return `${(value / 86_400).toFixed(1)} d`;
}

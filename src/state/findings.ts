import type { DatasetName } from '../domain/dataset.ts';

/** A value and the monotonic milliseconds at which it was fetched. */
export interface Dated<T> {
  readonly value: T;
  readonly at: number;
}

/** Tells whether data of a dataset that were fetched at `at` may still be shown. */
export type Freshness = (dataset: DatasetName, at: number) => boolean;

/** Values of one item that are fetched one by one, each by the name under which a row shows it. */
export type Findings<T> = { readonly [K in keyof T]?: Dated<T[K]> };

/** Those of the findings that are fresh. */
export function freshFindings<T extends object>(
  findings: Findings<T>,
  datasets: { readonly [K in keyof T]-?: DatasetName },
  isFresh: Freshness,
): Partial<T> {
  const fresh: Partial<T> = {};
  for (const name of Object.keys(findings) as (keyof T)[]) {
    const finding = findings[name];
    if (finding !== undefined && isFresh(datasets[name], finding.at)) fresh[name] = finding.value;
  }
  return fresh;
}

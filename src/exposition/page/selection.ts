import { type DatasetName, datasetNames } from '../../domain/dataset.ts';

/** The part of the page with the exporter's own metrics, when parts are requested by dataset. */
const exporterPart = 'exporter';

/** The parts of a page that can be requested: a dataset, or the metrics without one. */
type PagePart = DatasetName | typeof exporterPart;

/** A part of the page; an absent field selects everything. */
export interface PageSelection {
  readonly accounts?: ReadonlySet<string>;
  readonly parts?: ReadonlySet<PagePart>;
}

/** The requested part does not exist. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

/**
 * Returns the parts with these names.
 * @throws SelectionError
 */
export function pageParts(names: readonly string[]): ReadonlySet<PagePart> {
  const expected: readonly PagePart[] = [...datasetNames, exporterPart];
  return new Set(
    names.map((name) => {
      const part = expected.find((candidate) => candidate === name);
      if (part === undefined) throw unknownPart('dataset', name, expected);
      return part;
    }),
  );
}

export function unknownPart(
  kind: string,
  name: string,
  expected: Iterable<string>,
): SelectionError {
  return new SelectionError(
    `unknown ${kind} ${JSON.stringify(name)}: expected one of ${[...expected].join(', ')}`,
  );
}

/** Returns whether the metrics of a dataset, or the metrics without one, are selected. */
export function selectsDataset(
  { parts }: PageSelection,
  dataset: DatasetName | undefined,
): boolean {
  return parts === undefined || parts.has(dataset ?? exporterPart);
}

export function selectsAccount({ accounts }: PageSelection, account: string): boolean {
  return accounts === undefined || accounts.has(account);
}

/** The exporter's own metrics belong to no account, so a selection of accounts alone omits them. */
export function selectsExporter({ accounts, parts }: PageSelection): boolean {
  return parts === undefined ? accounts === undefined : parts.has(exporterPart);
}

/** Returns a key that is equal for selections of the same parts. */
export function selectionKey({ accounts, parts }: PageSelection): string {
  return JSON.stringify([accounts, parts].map((names) => names && [...names].sort()));
}

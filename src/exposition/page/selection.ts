import { type DatasetName, datasetNames } from '../../domain/dataset.ts';

/** The exporter itself, where a part of the page is asked for by dataset. */
export const exporterPart = 'exporter';

/** The parts that a page can be asked for by: what stems from a dataset, and what stems from none. */
export type PagePart = DatasetName | typeof exporterPart;

/** A part of the page; what is absent is not narrowed down. */
export interface PageSelection {
  readonly accounts?: ReadonlySet<string>;
  readonly parts?: ReadonlySet<PagePart>;
}

/** A part was asked for that there is not. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

/** The parts of these names. @throws SelectionError */
export function pageParts(names: readonly string[]): ReadonlySet<PagePart> {
  const known: readonly PagePart[] = [...datasetNames, exporterPart];
  return new Set(
    names.map((name) => {
      const part = known.find((candidate) => candidate === name);
      if (part === undefined) throw unknownPart('dataset', name, known);
      return part;
    }),
  );
}

export function unknownPart(kind: string, name: string, known: Iterable<string>): SelectionError {
  return new SelectionError(
    `unknown ${kind} ${JSON.stringify(name)}: expected one of ${[...known].join(', ')}`,
  );
}

/** Whether what stems from a dataset, or from none, is selected. */
export function selectsDataset(
  { parts }: PageSelection,
  dataset: DatasetName | undefined,
): boolean {
  return parts === undefined || parts.has(dataset ?? exporterPart);
}

export function selectsAccount({ accounts }: PageSelection, account: string): boolean {
  return accounts === undefined || accounts.has(account);
}

/** The exporter's own metrics are of no single account, so they are there unless something else is asked for. */
export function selectsExporter({ accounts, parts }: PageSelection): boolean {
  return parts === undefined ? accounts === undefined : parts.has(exporterPart);
}

/** The same for selections of the same parts. */
export function selectionKey({ accounts, parts }: PageSelection): string {
  return JSON.stringify([accounts, parts].map((names) => names && [...names].sort()));
}

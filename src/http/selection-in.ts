import { pageParts, type Selection, unknownPart } from '../exposition/selection.ts';

const accountParameters = ['account', 'account[]'];
const datasetParameters = ['dataset', 'dataset[]'];
const parameters = [...accountParameters, ...datasetParameters];

/**
 * The part of the page that the query of a URL asks for: `?account=a`, `?dataset[]=d`, with or without the
 * brackets, both repeatable. Other parameters are the scraper's own, unless they look like a misspelt one.
 *
 * @throws SelectionError
 */
export function selectionIn(url: string): Selection {
  const query = new URLSearchParams(/\?(.*)/s.exec(url)?.[1]);
  for (const name of query.keys()) refuseMisspelt(name);
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => query.getAll(name));
  const accounts = valuesOf(accountParameters);
  const datasets = valuesOf(datasetParameters);
  return {
    ...(accounts.length > 0 && { accounts: new Set(accounts) }),
    ...(datasets.length > 0 && { parts: pageParts(datasets) }),
  };
}

function refuseMisspelt(name: string): void {
  if (!/^(?:account|dataset)/i.test(name) || parameters.includes(name)) return;
  throw unknownPart('parameter', name, parameters);
}

import { pageParts, type Selection } from '../exposition/selection.ts';

/**
 * The part of the page that the query of a URL asks for: `?account=a`, `?dataset[]=d`, both repeatable.
 *
 * @throws SelectionError
 */
export function selectionIn(url: string): Selection {
  const query = new URLSearchParams(/\?(.*)/s.exec(url)?.[1]);
  const accounts = query.getAll('account');
  const datasets = [...query.getAll('dataset[]'), ...query.getAll('dataset')];
  return {
    ...(accounts.length > 0 && { accounts: new Set(accounts) }),
    ...(datasets.length > 0 && { parts: pageParts(datasets) }),
  };
}

import type { Item } from './items.ts';

/** Returns the path of the item's view below the root, without a leading slash. */
export function itemPath({ kind, account, id }: Pick<Item, 'kind' | 'account' | 'id'>): string {
  return `accounts/${encodeURIComponent(account)}/${kind}s/${id}`;
}

/** Returns the path that asks for the causes of an outage, without a leading slash. */
export function causesPath({ account, id }: Pick<Item, 'account' | 'id'>, fromSeconds: number) {
  return `-/causes?${new URLSearchParams({ account, check: `${id}`, from: `${fromSeconds}` })}`;
}

/** Returns the path of a group's view below the root, without a leading slash. */
export function groupPath({ account, name }: { readonly account: string; name: string }): string {
  // Browsers resolve these two, encoded or not, as steps of the path.
  if (name === '.' || name === '..')
    return `groups?${new URLSearchParams({ group: name, account })}`;
  return `groups/${encodeURIComponent(name.toWellFormed())}?${new URLSearchParams({ account })}`;
}

/** Returns the path of the outages of some items, without a leading slash. */
export function outagesPath(query: Readonly<Record<string, string>>): string {
  return `outages?${new URLSearchParams(query)}`;
}

import { Name } from './format.tsx';
import type { Item } from './items.ts';
import { hrefTo, type Site } from './layout.tsx';
import { itemPath } from './paths.ts';

interface ItemLinkProps {
  readonly site: Site;
  readonly item: Item;
}

export function ItemLink({ site, item }: ItemLinkProps) {
  return (
    <a href={hrefTo(site, itemPath(item))}>
      <Name text={item.name} />
    </a>
  );
}

interface ItemHostProps {
  readonly item: Item;
  readonly severalAccounts: boolean;
}

/** The text that distinguishes two items with the same name. */
export function ItemHost({ item, severalAccounts }: ItemHostProps) {
  const { hostname } = item;
  return (
    <>
      <small>
        {hostname !== undefined && (
          <>
            <Name text={hostname} /> ·{' '}
          </>
        )}
        {item.kind} {item.id}
      </small>
      {severalAccounts && (
        <small>
          <Name text={item.account} />
        </small>
      )}
    </>
  );
}

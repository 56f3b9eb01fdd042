import type { Item } from '../common/items.ts';
import { hrefTo, type Site } from '../common/layout.tsx';
import { shownRanges } from '../common/shown-range.ts';

interface BadgesProps {
  readonly site: Site;
  readonly item: Item;
}

/** The badges of an item with the Markdown to copy; a script makes their addresses absolute. */
export function Badges({ site, item }: BadgesProps) {
  return (
    <dl class="queries">
      {shownRanges.map((range) => {
        const query = new URLSearchParams({ window: range, account: item.account });
        const address = hrefTo(site, `badge/${item.id}.svg?${query}`);
        return (
          <>
            <dt>
              <img src={address} alt={`Badge of the last ${range}`} height="20" />
            </dt>
            <dd>
              <code data-address={address}>{`![uptime ${range}](${address})`}</code>
            </dd>
          </>
        );
      })}
    </dl>
  );
}

import { type Item, shownRanges } from '../common/items.ts';
import { hrefTo, type Site } from '../common/layout.tsx';

interface BadgesProps {
  readonly site: Site;
  readonly item: Item;
}

/** The badges of an item with the Markdown to copy; a script makes their addresses absolute. */
export function Badges({ site, item }: BadgesProps) {
  return (
    <dl class="queries">
      {shownRanges.map((window) => {
        const query = new URLSearchParams({ window, account: item.account });
        const address = hrefTo(site, `badge/${item.id}.svg?${query}`);
        return (
          <>
            <dt>
              <img src={address} alt={`Badge of the last ${window}`} height="20" />
            </dt>
            <dd>
              <code data-address={address}>{`![uptime ${window}](${address})`}</code>
            </dd>
          </>
        );
      })}
    </dl>
  );
}

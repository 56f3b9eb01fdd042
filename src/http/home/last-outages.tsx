import type { Item } from '../common/items.ts';
import { lastOutagesOf, noOutagesText } from '../common/known-outages.ts';
import type { Site } from '../common/layout.tsx';
import { OutageTable } from '../common/outage-table.tsx';
import type { AccountStatus } from '../ports.ts';

const maxShown = 8;

interface LastOutagesProps {
  readonly site: Site;
  readonly items: readonly Item[];
  /** All accounts of the view, also those without items. */
  readonly accounts: readonly AccountStatus[];
  readonly nowSeconds: number;
}

export function LastOutages({ site, items, accounts, nowSeconds }: LastOutagesProps) {
  const shown = lastOutagesOf(items, maxShown);
  if (shown.length === 0) {
    const isOpen = items.some(({ state }) => state === 'down');
    const none = isOpen ? 'No outage has been read yet.' : noOutagesText(accounts, nowSeconds);
    return <p class="rest">{none}</p>;
  }
  return (
    <OutageTable
      label="Last outages"
      site={site}
      outages={shown}
      columns={['check', 'beganAgo', 'lasted', 'why']}
      severalAccounts={accounts.length > 1}
    />
  );
}

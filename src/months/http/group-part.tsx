import type { Href, ViewPart } from '../../http/ports.ts';
import type { AccountMonths } from '../account-months.ts';
import { groupHistories } from './group-history.ts';
import { GroupMonths } from './group-months.tsx';

/** The months of a group, for its view. */
export function groupMonthsPart(months: AccountMonths, name: string, href: Href): ViewPart {
  const { account } = months;
  const history = groupHistories({ accounts: [months], groups: [{ account, name }] });
  const query = new URLSearchParams({ account, group: name });
  return {
    id: 'months',
    title: 'Months',
    body: (
      <>
        {history.months.length === 0 ? (
          <p class="rest">No complete month is recorded yet.</p>
        ) : (
          <GroupMonths href={href} history={history} severalAccounts={false} />
        )}
        <p class="rest">
          <a href={href(`report?${query}`)}>Report of the last month</a>
        </p>
      </>
    ),
  };
}

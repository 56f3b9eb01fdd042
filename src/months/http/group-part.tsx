import type { Href, ViewPart } from '../../http/ports.ts';
import type { AccountMonths } from '../account-months.ts';
import { groupHistories } from './group-history.ts';
import { GroupMonths } from './group-months.tsx';
import { monthTitle } from './month-titles.ts';

/** The months of a group, for its view. */
export function groupMonthsPart(months: AccountMonths, name: string, href: Href): ViewPart {
  const { account } = months;
  const history = groupHistories({ accounts: [months], groups: [{ account, name }] });
  const cells = history.groups[0]?.cells ?? [];
  // The group may be newer than the last month.
  const last = history.months.findLast((_, place) => cells[place] !== undefined);
  const { name: month } = last ?? months.calendar.containing(months.nowSeconds);
  const query = new URLSearchParams({ month, account, group: name });
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
          <a href={href(`report?${query}`)}>Report of {monthTitle(month)}</a>
        </p>
      </>
    ),
  };
}

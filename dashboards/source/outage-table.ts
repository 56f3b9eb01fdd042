import { outagesBegan, outagesGoOn, outagesLasted } from './items.ts';
import { toItemOfRow } from './links.ts';
import type { Of } from './selectors.ts';
import { ongoing, orEarlier } from './states.ts';
import { tablePanel } from './table.ts';

interface LastOutagesOptions {
  readonly of: Of;
  readonly width: number;
  /** True on the board of one item: its name and identifier are omitted. */
  readonly isOfOne?: boolean;
}

/** The known outages, regardless of the time range. */
export function lastOutages({ of, width, isOfOne = false }: LastOutagesOptions) {
  const identity = {
    kind: { heading: 'Kind', hidden: true },
    account: { heading: 'Account', width: 80 },
    check_id: { heading: 'ID', hidden: true },
  };
  return tablePanel({
    title: isOfOne ? 'Its outages' : 'Last outages',
    description:
      'The newest 100 outages of an account and the newest ten of each check, regardless of the chosen time. It includes outages that became known later, and outages in maintenance (none, part or whole of the outage). The cause is that of the first failed tests, if results were read. While the end of an outage is not read yet, the table shows its minimum duration.',
    width,
    height: 9,
    sortBy: [['Began', 'descending']],
    columns: {
      name: isOfOne ? { heading: 'Outage of' } : { heading: 'Check', links: toItemOfRow() },
      'Value #A': { heading: 'Began', unit: 'dateTimeAsIso', width: 160 },
      beginning: { heading: 'Exact?', width: 97, mappings: [orEarlier] },
      'Value #B': { heading: 'Lasted', unit: 's', width: 90 },
      'Value #C': { heading: 'Is it over?', unit: 'none', width: 110, mappings: [ongoing] },
      cause: { heading: 'Cause', width: 144 },
      maintenance: { heading: 'Maintenance', width: 105 },
      ...(isOfOne ? {} : identity),
    },
    queries: [{ expr: outagesBegan(of) }, { expr: outagesLasted(of) }, { expr: outagesGoOn(of) }],
  });
}

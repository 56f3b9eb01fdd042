import { outagesBegan, outagesGoOn, outagesLasted } from './items.ts';
import { toItemOfRow } from './links.ts';
import { eachAccount, ofAccount, ofCheck } from './selectors.ts';
import { noNumber, ongoing, orEarlier } from './states.ts';
import { tablePanel } from './table.ts';
import { noteText, orWhy } from './trust.ts';

/** Later than any start of an outage, so that unknown rows come first. */
const beforeAll = 9_000_000_000_000;

/**
 * Accounts whose past is not read yet, so outages may be missing; the value is the number of
 * checks.
 */
const unreadPast = `label_replace(
  count_values by (account) ("left", ${eachAccount(ofAccount('uptime_exporter_unread_past_checks'))} > 0),
  "name", "Not known: checks whose past is still to be read: $1", "left", "(.*)"
)`;

/** The same for the selected item. */
const unreadPastOfOne = `label_replace(
  (${eachAccount(ofAccount('uptime_up'))} == 1) unless on (account) (${['check', 'transaction'].map((kind) => ofCheck(`uptime_${kind}_error_ratio`, 'window="30d"')).join(' or ')}),
  "name", "Not known: its past is still to be read", "", ""
)`;

interface LastOutagesOptions {
  readonly of: (name: string, more?: string) => string;
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
  const none = isOfOne
    ? 'No outage among the last 100 of the account'
    : 'No outage within 35 days is known';
  return tablePanel({
    title: isOfOne ? 'Its outages' : 'Last outages',
    description:
      'The newest 100 outages of an account and the newest ten of each check, regardless of the chosen time. It includes outages that became known later, and outages in maintenance (none, part or whole of the outage). The cause is that of the first failed tests, if results were read. While the end of an outage is not read yet, the table shows its minimum duration.',
    width,
    height: 9,
    noValue: 'Not known: Prometheus has no data of an exporter',
    sortBy: [['Began', 'descending']],
    columns: {
      ...(isOfOne
        ? { name: { heading: 'Outage of', mappings: [noteText] } }
        : { name: { heading: 'Check', links: toItemOfRow(), mappings: [noteText] } }),
      'Value #A': {
        heading: 'Began',
        unit: 'dateTimeAsIso',
        width: 160,
        mappings: [noNumber(beforeAll)],
      },
      beginning: { heading: 'Or earlier?', width: 97, mappings: [orEarlier] },
      'Value #B': { heading: 'Lasted', unit: 's', width: 90 },
      'Value #C': { heading: 'Is it over?', unit: 'none', width: 110, mappings: [ongoing] },
      cause: { heading: 'Cause', width: 144 },
      maintenance: { heading: 'Maintenance', width: 105 },
      ...(isOfOne ? {} : identity),
    },
    queries: [
      {
        expr: orWhy(outagesBegan(of), {
          label: 'name',
          none,
          value: beforeAll,
          unknown: isOfOne ? unreadPastOfOne : unreadPast,
        }),
      },
      { expr: outagesLasted(of) },
      { expr: outagesGoOn(of) },
    ],
  });
}

import type { RecentOutage } from '../../state/snapshot.ts';
import type { AccountFamily, SampleValue } from './family.ts';
import { accountFamiliesOf } from './row-families.ts';

/** The maximum length of the label `cause`, which is enough to distinguish causes. */
const mostCharacters = 120;

/** The newest outages of the account; they stay while its lists cannot be read. */
export const recentOutageFamilies: readonly AccountFamily[] = [
  ofEach(
    'start',
    'UNIX time at which the outage began: the newest 10 outages of each check and transaction, the newest 100 of the account, as far as they are known, including those in maintenance (none, part or whole of the outage) and those that only a report showed. Where the label beginning is before, it began earlier. The label outage is the time as text.',
    ({ fromSeconds }) => fromSeconds,
  ),
  ofEach(
    'end',
    'UNIX time at which the outage of uptime_recent_outage_start_timestamp_seconds ended; absent while it is ongoing. Where the label ending is after, it ended then or later: its end is not read yet.',
    ({ toSeconds }) => toSeconds,
  ),
];

function ofEach(
  edge: 'start' | 'end',
  help: string,
  value: (outage: RecentOutage) => SampleValue,
): AccountFamily {
  return accountFamiliesOf().values(
    `uptime_recent_outage_${edge}_timestamp_seconds`,
    help,
    'recentOutages',
    ['kind', 'check_id', 'name', 'outage', 'beginning', 'ending', 'maintenance', 'cause'],
    (outages, emit) => {
      for (const outage of outages) {
        const { kind, id, name, fromSeconds, beganBefore, maintenance, causes } = outage;
        const beginning = beganBefore ? 'before' : 'exact';
        emit(
          value(outage),
          ...[kind, String(id), name, String(fromSeconds)],
          ...[beginning, endingOf(outage), maintenance, shortened(causes.join('; '))],
        );
      }
    },
  );
}

function endingOf({ toSeconds, endsLater }: RecentOutage): 'open' | 'exact' | 'after' {
  if (toSeconds === undefined) return 'open';
  return endsLater ? 'after' : 'exact';
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= mostCharacters) return text;
  return `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

import type { RecentOutage } from '../../state/snapshot.ts';
import type { AccountFamily, SampleValue } from './family.ts';
import { accountFamiliesOf } from './row-families.ts';

/** The maximum length of the label `cause`, which is enough to distinguish causes. */
const mostCharacters = 120;

/** The newest outages of the account; they stay while its lists cannot be read. */
export const recentOutageFamilies: readonly AccountFamily[] = [
  ofEach(
    'start',
    'UNIX time at which the outage began, for the newest 10 known outages of each check and transaction and at most 100 of the account, including those in maintenance and those that only a report showed. If the label beginning is before, the outage began earlier. The label maintenance is the part of the outage in maintenance: none, part or whole. The label outage is the time as text.',
    ({ fromSeconds }) => fromSeconds,
  ),
  ofEach(
    'end',
    'UNIX time at which the outage of uptime_recent_outage_start_timestamp_seconds ended; absent while the outage is ongoing. If the label ending is after, the outage ended then or later, and its end is not read yet.',
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
          kind,
          String(id),
          name,
          String(fromSeconds),
          beginning,
          endingOf(outage),
          maintenance,
          shortened(causes.join('; ')),
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

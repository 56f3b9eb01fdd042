import { targetMedia } from '../../domain/people.ts';
import { type AccountFamily, lean } from './family.ts';
import { LabelCounts, pairs, trueFalseUnknown } from './label-counts.ts';
import { accountFamiliesOf } from './row-families.ts';

const contacts = accountFamiliesOf('contacts');
const teams = accountFamiliesOf('teams');

/** The recipients of notifications: counts only, because names and addresses are personal. */
export const peopleFamilies: readonly AccountFamily[] = [
  contacts.values(
    'uptime_contacts',
    'Contacts by type and by whether their notifications are paused.',
    'contacts',
    ['contact_type', 'paused'],
    (list, emit) => {
      const counts = new LabelCounts(pairs(['user', 'contact'], ['true', 'false']));
      for (const { type, paused } of list) counts.add(1, type, trueFalseUnknown(paused));
      counts.emit(emit);
    },
  ),
  lean(
    'nothing',
    contacts.values(
      'uptime_contact_targets',
      'Notification targets of the contacts, by medium and severity.',
      'contacts',
      ['medium', 'severity'],
      (list, emit) => {
        const counts = new LabelCounts(pairs(targetMedia, ['high', 'low']));
        for (const { medium, severity, count } of list.flatMap(({ targets }) => targets)) {
          counts.add(count, medium, severity);
        }
        counts.emit(emit);
      },
    ),
  ),
  lean(
    'nothing',
    teams.value('uptime_teams', 'Teams of the account.', 'teams', (list) => list.length),
  ),
  teams.values(
    'uptime_team_members',
    'Members of the team.',
    'teams',
    ['team_id', 'team_name'],
    (list, emit) => {
      for (const { id, name, memberCount } of list) emit(memberCount, String(id), name);
    },
  ),
];

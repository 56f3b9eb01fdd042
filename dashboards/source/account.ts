import { type Board, blindTimes } from './board.ts';
import { colours } from './colours.ts';
import { linesPanel, stackedPanel } from './panel.ts';
import { eachAccount, ofAccount } from './selectors.ts';
import { badAbove, steps, yesOrNo } from './states.ts';
import { barsPanel, tablePanel } from './table.ts';

const described = (name: string) =>
  `max by (account, maintenance_id) (${ofAccount(`uptime_maintenance_${name}`)}) * on (account, maintenance_id) group_left (description, recurrence) max by (account, maintenance_id, description, recurrence) (${ofAccount('uptime_maintenance_window_info')})`;
const edge = (name: 'start' | 'end') => `(${described(`window_${name}_timestamp_seconds`)})`;

const sent = eachAccount(
  `sum by (job, instance, account, via, status) (increase(${ofAccount('uptime_alerts_sent_total')}[1h]))`,
  'via',
  'status',
);

export const account: Board = {
  uid: 'uptime-account',
  title: 'Account and credits',
  description: 'What the account may still use, who is told, which maintenance is planned.',
  annotations: blindTimes(),
  rows: {
    Credits: [
      tablePanel({
        title: 'What is left',
        description:
          'Checks that can still be created, text messages that can still be sent, and whether the service buys more of these by itself.',
        width: 12,
        height: 6,
        noValue: 'The credits were not read yet',
        sortBy: ['Checks left', 'ascending'],
        columns: {
          account: { heading: 'Account' },
          'Value #A': {
            heading: 'Checks left',
            unit: 'none',
            width: 110,
            thresholds: steps(colours.bad, [1, colours.warning], [5, colours.good]),
          },
          'Value #B': {
            heading: 'Messages left',
            unit: 'none',
            width: 130,
            thresholds: steps(colours.bad, [1, colours.warning], [20, colours.good]),
          },
          'Value #C': { heading: 'Auto-buy', unit: 'none', width: 100, mappings: [yesOrNo] },
        },
        queries: [
          { expr: eachAccount(ofAccount('uptime_account_checks_available')) },
          { expr: eachAccount(ofAccount('uptime_account_sms_available')) },
          { expr: eachAccount(ofAccount('uptime_account_sms_autofill_enabled')) },
        ],
      }),
      linesPanel({
        title: 'Checks in use',
        description: 'Checks in use by kind, and how many the plan of the account allows.',
        unit: 'none',
        width: 12,
        height: 6,
        min: 0,
        noValue: 'The credits were not read in this time',
        queries: [
          {
            expr: eachAccount(ofAccount('uptime_account_check_limit')),
            legend: '{{account}}: allowed',
            stroke: 'dash',
            color: colours.neutral,
          },
          {
            expr: eachAccount(ofAccount('uptime_account_checks_used'), 'kind'),
            legend: '{{account}}: {{kind}}',
          },
        ],
      }),
    ],
    Alerting: [
      stackedPanel({
        title: 'Alerts sent',
        description:
          'Alerts that the service sent in the hour before, by medium and by what became of them.',
        unit: 'short',
        width: 12,
        min: 0,
        noValue: 'No alert was sent in this time',
        queries: [{ expr: `sum by (via, status) (${sent}) > 0`, legend: '{{via}}: {{status}}' }],
      }),
      tablePanel({
        title: 'Contacts',
        description:
          'Contacts by type: those that are told, and those whose notifications are off.',
        width: 12,
        height: 8,
        noValue: 'The contacts were not read yet',
        sortBy: ['Paused', 'descending'],
        columns: {
          contact_type: { heading: 'Type' },
          'Value #A': { heading: 'Paused', unit: 'none', width: 90, thresholds: badAbove(1) },
          'Value #B': { heading: 'Told', unit: 'none', width: 90 },
          account: { heading: 'Account', width: 130 },
        },
        queries: ['true', 'false'].map((paused) => ({
          expr: eachAccount(ofAccount('uptime_contacts', `paused="${paused}"`), 'contact_type'),
        })),
      }),
      barsPanel({
        title: 'Ways to reach them',
        description: 'Addresses and devices by medium and by the importance they are used for.',
        width: 12,
        noValue: 'Nobody can be reached, or the contacts were not read yet',
        names: {
          medium: { heading: 'Medium', width: 110 },
          severity: { heading: 'Importance', width: 110 },
        },
        number: { heading: 'How many', unit: 'none' },
        expr: `sum by (medium, severity) (${eachAccount(ofAccount('uptime_contact_targets'), 'medium', 'severity')}) > 0`,
      }),
      barsPanel({
        title: 'Teams',
        description: 'Members of each team; nobody is told through a team that has none.',
        width: 12,
        noValue: 'No teams, or they were not read yet',
        names: { team_name: { heading: 'Team' } },
        number: {
          heading: 'Members',
          unit: 'none',
          width: 220,
          thresholds: steps(colours.bad, [1, colours.good]),
        },
        expr: eachAccount(ofAccount('uptime_team_members'), 'team_id', 'team_name'),
      }),
    ],
    Maintenance: [
      tablePanel({
        title: 'Maintenance windows',
        description:
          'Windows with their present or next occurrence, the next first. Those that are over are left out.',
        width: 24,
        noValue: 'No maintenance is planned',
        sortBy: ['Begins', 'ascending'],
        columns: {
          description: { heading: 'Window' },
          'Value #A': { heading: 'Begins', unit: 'dateTimeFromNow', width: 160 },
          'Value #B': { heading: 'Ends', unit: 'dateTimeFromNow', width: 160 },
          'Value #C': { heading: 'Now', width: 80, unit: 'none', mappings: [yesOrNo] },
          recurrence: { heading: 'Recurs', width: 110 },
          account: { heading: 'Account', width: 130 },
          maintenance_id: { heading: 'ID', width: 110 },
        },
        queries: [
          `1000 * ${edge('start')} and on (account, maintenance_id) (${edge('end')} > time())`,
          `1000 * (${edge('end')} > time())`,
          `${described('active')} and on (account, maintenance_id) (${edge('end')} > time())`,
        ].map((expr) => ({ expr })),
      }),
      barsPanel({
        title: 'Probes',
        description: 'Probes of the service, and whether they test.',
        width: 24,
        height: 5,
        noValue: 'The probes were not read yet',
        names: { active: { heading: 'Active', width: 120 } },
        number: { heading: 'Probes', unit: 'none' },
        expr: `max by (active) (${ofAccount('uptime_probes')})`,
      }),
    ],
  },
};

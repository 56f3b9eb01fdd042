import type { Board } from './board.ts';
import { colours } from './colours.ts';
import { barsPanel, linesPanel, stackedPanel, statPanel, tablePanel } from './panel.ts';
import { ofAccount } from './selectors.ts';
import { badAbove, plain, steps, yesOrNo } from './states.ts';

const described = (name: string) =>
  `max by (account, maintenance_id) (${ofAccount(`uptime_maintenance_${name}`)}) * on (account, maintenance_id) group_left (description, recurrence) max by (account, maintenance_id, description, recurrence) (${ofAccount('uptime_maintenance_window_info')})`;
const edge = (name: 'start' | 'end') => `(${described(`window_${name}_timestamp_seconds`)})`;

export const account: Board = {
  uid: 'uptime-account',
  title: 'Account and credits',
  description: 'What the account may still use, who is told, which maintenance is planned.',
  rows: {
    Credits: [
      linesPanel({
        title: 'Checks',
        description: 'Checks in use by kind, and how many the plan of the account allows.',
        unit: 'none',
        width: 12,
        min: 0,
        queries: [
          { expr: ofAccount('uptime_account_checks_used'), legend: '{{account}} {{kind}}' },
          { expr: ofAccount('uptime_account_check_limit'), legend: '{{account}} allowed' },
        ],
      }),
      statPanel({
        title: 'Checks left',
        description: 'Checks that can still be created.',
        unit: 'none',
        width: 4,
        height: 8,
        thresholds: steps(colours.bad, [1, colours.warning], [5, colours.good]),
        queries: [{ expr: ofAccount('uptime_account_checks_available'), legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Text messages left',
        description: 'Text messages that can still be sent.',
        unit: 'none',
        width: 4,
        height: 8,
        thresholds: steps(colours.bad, [1, colours.warning], [20, colours.good]),
        queries: [{ expr: ofAccount('uptime_account_sms_available'), legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Auto-buy',
        description: 'Whether the service buys text messages by itself when few are left.',
        unit: 'none',
        width: 4,
        height: 8,
        thresholds: plain,
        mappings: [yesOrNo],
        queries: [
          { expr: ofAccount('uptime_account_sms_autofill_enabled'), legend: '{{account}}' },
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
        queries: [
          {
            expr: `sum by (via, status) (increase(${ofAccount('uptime_alerts_sent_total')}[1h]))`,
            legend: '{{via}} {{status}}',
          },
        ],
      }),
      barsPanel({
        title: 'Contacts',
        description: 'Contacts whose notifications are on, by type.',
        unit: 'none',
        width: 4,
        min: 0,
        thresholds: plain,
        queries: [
          {
            expr: ofAccount('uptime_contacts', 'paused="false"'),
            legend: '{{account}} {{contact_type}}',
          },
        ],
      }),
      barsPanel({
        title: 'Contacts paused',
        description: 'Contacts that get no notifications, by type.',
        unit: 'none',
        width: 4,
        min: 0,
        thresholds: badAbove(1),
        queries: [
          {
            expr: ofAccount('uptime_contacts', 'paused="true"'),
            legend: '{{account}} {{contact_type}}',
          },
        ],
      }),
      barsPanel({
        title: 'Ways to reach them',
        description: 'Addresses and devices by medium and by the importance they are used for.',
        unit: 'none',
        width: 4,
        min: 0,
        thresholds: plain,
        queries: [{ expr: ofAccount('uptime_contact_targets'), legend: '{{medium}} {{severity}}' }],
      }),
      barsPanel({
        title: 'Team members',
        description: 'Members of each team.',
        unit: 'none',
        width: 12,
        min: 0,
        thresholds: plain,
        queries: [{ expr: ofAccount('uptime_team_members'), legend: '{{team_name}}' }],
      }),
      statPanel({
        title: 'Probes',
        description: 'Probes of the service that are active (true) or not (false).',
        unit: 'none',
        width: 12,
        height: 8,
        thresholds: plain,
        queries: [{ expr: ofAccount('uptime_probes'), legend: '{{active}}' }],
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
    ],
  },
};

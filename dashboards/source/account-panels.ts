import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { eachAccount, ofAccount } from './selectors.ts';
import { badAbove, noNumber, steps, yesOrNo } from './states.ts';
import { rankingPanel, tablePanel } from './table.ts';
import { noteText, orWhy } from './trust.ts';

const described = (name: string) =>
  `max by (account, maintenance_id) (${ofAccount(`uptime_maintenance_${name}`)}) * on (account, maintenance_id) group_left (description, recurrence) max by (account, maintenance_id, description, recurrence) (${ofAccount('uptime_maintenance_window_info')})`;
const edge = (name: 'start' | 'end') => `(${described(`window_${name}_timestamp_seconds`)})`;
const notOver = `and on (account, maintenance_id) (${edge('end')} > time())`;

const noExporter = 'Not known: Prometheus has no data of an exporter';

/** Later than any planned time, so that unknown rows come last. */
const afterAll = 9_000_000_000_000;

/** Panels about sent alerts, maintenance, credits and recipients. */
export const accountPanels: readonly Builder<Panel>[] = [
  rankingPanel({
    title: 'Alerts sent in this time',
    description:
      'Alerts that the service sent in the chosen time and that the exporter has read, by medium and delivery status.',
    width: 24,
    height: 6,
    noValue: noExporter,
    names: {
      via: { heading: 'Medium', mappings: [noteText] },
      status: { heading: 'Status', width: 120 },
    },
    number: {
      heading: 'Alerts',
      unit: 'none',
      decimals: 0,
      width: 110,
      mappings: [noNumber(-1)],
    },
    expr: orWhy(
      `max by (account, via, status) (sum by (job, instance, account, via, status) (increase(${ofAccount('uptime_alerts_sent_total')}[$__range]))) > 0`,
      { label: 'via', none: 'No alert was sent in this time', dataset: 'actions' },
    ),
  }),
  tablePanel({
    title: 'Maintenance windows',
    description:
      'Maintenance windows with their current or next occurrence, the earliest first. Windows without a further occurrence are omitted.',
    width: 24,
    height: 6,
    noValue: noExporter,
    sortBy: [['Begins', 'ascending']],
    columns: {
      description: { heading: 'Window', mappings: [noteText] },
      'Value #A': {
        heading: 'Begins',
        unit: 'dateTimeAsIso',
        width: 160,
        mappings: [noNumber(afterAll)],
      },
      'Value #B': { heading: 'Ends', unit: 'dateTimeAsIso', width: 160 },
      'Value #C': { heading: 'Now', width: 60, unit: 'none', mappings: [yesOrNo] },
      recurrence: { heading: 'Recurs', width: 80 },
      account: { heading: 'Account', width: 90 },
      maintenance_id: { heading: 'ID', width: 80 },
    },
    queries: [
      {
        expr: orWhy(`1000 * ${edge('start')} ${notOver}`, {
          label: 'description',
          none: 'No maintenance is planned',
          dataset: 'maintenance',
          value: afterAll,
        }),
      },
      { expr: `1000 * (${edge('end')} > time())` },
      { expr: `1 + (${described('active')}) ${notOver}` },
    ],
  }),
  tablePanel({
    title: 'Credits',
    description:
      'Checks that the plan allows, that are in use, and that can still be created. Text messages that can still be sent, and whether the service buys more automatically.',
    width: 24,
    height: 5,
    noValue: noExporter,
    sortBy: [['Checks left', 'ascending']],
    columns: {
      account: { heading: 'Account' },
      note: { heading: 'Known?', mappings: [noteText] },
      'Value #A': {
        heading: 'Checks left',
        unit: 'none',
        width: 125,
        thresholds: steps(colours.bad, [1, colours.warning], [5, colours.good]),
        mappings: [noNumber(-1)],
      },
      'Value #B': { heading: 'Allowed', unit: 'none', width: 100 },
      'Value #C': {
        heading: 'Messages left',
        unit: 'none',
        width: 130,
        thresholds: steps(colours.bad, [1, colours.warning], [20, colours.good]),
      },
      'Value #D': { heading: 'Auto-buy', unit: 'none', width: 100, mappings: [yesOrNo] },
    },
    queries: [
      {
        expr: orWhy(eachAccount(ofAccount('uptime_account_checks_available')), {
          label: 'note',
          none: 'No credits are read',
          dataset: 'credits',
        }),
      },
      { expr: eachAccount(ofAccount('uptime_account_check_limit')) },
      { expr: eachAccount(ofAccount('uptime_account_sms_available')) },
      { expr: `1 + ${eachAccount(ofAccount('uptime_account_sms_autofill_enabled'))}` },
    ],
  }),
  tablePanel({
    title: 'Contacts',
    description:
      'Contacts by type: those that are notified, and those whose notifications are paused.',
    width: 12,
    noValue: noExporter,
    sortBy: [['Paused', 'descending']],
    columns: {
      contact_type: { heading: 'Type', mappings: [noteText] },
      'Value #A': {
        heading: 'Paused',
        unit: 'none',
        width: 95,
        thresholds: badAbove(1),
        mappings: [noNumber(-1)],
      },
      'Value #B': { heading: 'Notified', unit: 'none', width: 90 },
      account: { heading: 'Account', width: 110 },
    },
    queries: [
      {
        expr: orWhy(eachAccount(ofAccount('uptime_contacts', 'paused="true"'), 'contact_type'), {
          label: 'contact_type',
          none: 'No contacts',
          dataset: 'contacts',
        }),
      },
      { expr: eachAccount(ofAccount('uptime_contacts', 'paused="false"'), 'contact_type') },
    ],
  }),
  tablePanel({
    title: 'Teams, the smallest first',
    description: 'Members of each team. A team without members notifies nobody.',
    width: 12,
    noValue: noExporter,
    sortBy: [['Members', 'ascending']],
    columns: {
      team_name: { heading: 'Team', mappings: [noteText] },
      Value: {
        heading: 'Members',
        unit: 'none',
        width: 110,
        thresholds: steps(colours.bad, [1, colours.good]),
        mappings: [noNumber(-1)],
      },
      account: { heading: 'Account', width: 110 },
    },
    queries: [
      {
        expr: orWhy(eachAccount(ofAccount('uptime_team_members'), 'team_id', 'team_name'), {
          label: 'team_name',
          none: 'No teams',
          dataset: 'teams',
        }),
      },
    ],
  }),
];

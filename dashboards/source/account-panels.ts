import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { eachAccount, ofAccount } from './selectors.ts';
import { badAbove, steps, yesOrNo } from './states.ts';
import { rankingPanel, tablePanel } from './table.ts';

/** A property of each maintenance window that is not over, with the labels that describe it. */
const ofWindow = (name: string) =>
  `max by (account, maintenance_id) (${ofAccount(`uptime_maintenance_${name}`)} and on (account, maintenance_id) (${ofAccount('uptime_maintenance_window_end_timestamp_seconds')} > time()))
* on (account, maintenance_id) group_left (description, recurrence) max by (account, maintenance_id, description, recurrence) (${ofAccount('uptime_maintenance_window_info')})`;

/** Panels about sent alerts, maintenance, credits and recipients. */
export const accountPanels: readonly Builder<Panel>[] = [
  rankingPanel({
    title: 'Alerts sent in this time',
    description:
      'Alerts that the service sent in the chosen time and that the exporter has read, by medium and delivery status.',
    width: 24,
    height: 6,
    names: {
      via: { heading: 'Medium' },
      status: { heading: 'Status', width: 120 },
      account: { heading: 'Account', width: 110 },
    },
    number: {
      heading: 'Alerts',
      unit: 'none',
      decimals: 0,
      width: 110,
    },
    expr: `max by (account, via, status) (sum by (job, instance, account, via, status) (increase(${ofAccount('uptime_alerts_sent_total')}[$__range]))) > 0`,
  }),
  tablePanel({
    title: 'Maintenance windows',
    description:
      'Maintenance windows with their current or next occurrence, the earliest first. Windows without a further occurrence are omitted.',
    width: 24,
    height: 6,
    sortBy: [['Begins', 'ascending']],
    columns: {
      description: { heading: 'Window' },
      'Value #A': {
        heading: 'Begins',
        unit: 'dateTimeAsIso',
        width: 160,
      },
      'Value #B': { heading: 'Ends', unit: 'dateTimeAsIso', width: 160 },
      'Value #C': { heading: 'Now', width: 60, unit: 'none', mappings: [yesOrNo] },
      recurrence: { heading: 'Recurs', width: 80 },
      account: { heading: 'Account', width: 90 },
      maintenance_id: { heading: 'ID', width: 80 },
    },
    queries: [
      {
        expr: `1000 * ${ofWindow('window_start_timestamp_seconds')}`,
      },
      { expr: `1000 * ${ofWindow('window_end_timestamp_seconds')}` },
      { expr: ofWindow('active') },
    ],
  }),
  tablePanel({
    title: 'Credits',
    description:
      'Checks that the plan allows, that are in use, and that can still be created. Text messages that can still be sent, and whether the service buys more automatically.',
    width: 24,
    height: 5,
    sortBy: [['Checks left', 'ascending']],
    columns: {
      account: { heading: 'Account' },
      'Value #A': {
        heading: 'Checks left',
        unit: 'none',
        width: 125,
        thresholds: steps(colours.bad, [1, colours.warning], [5, colours.good]),
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
        expr: eachAccount(ofAccount('uptime_account_checks_available')),
      },
      { expr: eachAccount(ofAccount('uptime_account_check_limit')) },
      { expr: eachAccount(ofAccount('uptime_account_sms_available')) },
      { expr: eachAccount(ofAccount('uptime_account_sms_autofill_enabled')) },
    ],
  }),
  tablePanel({
    title: 'Contacts',
    description:
      'Contacts by type: those that are notified, and those whose notifications are paused.',
    width: 12,
    sortBy: [['Paused', 'descending']],
    columns: {
      contact_type: { heading: 'Type' },
      'Value #A': {
        heading: 'Paused',
        unit: 'none',
        width: 95,
        thresholds: badAbove(1),
      },
      'Value #B': { heading: 'Notified', unit: 'none', width: 90 },
      account: { heading: 'Account', width: 110 },
    },
    queries: [
      {
        expr: eachAccount(ofAccount('uptime_contacts', 'paused="true"'), 'contact_type'),
      },
      { expr: eachAccount(ofAccount('uptime_contacts', 'paused="false"'), 'contact_type') },
    ],
  }),
  tablePanel({
    title: 'Teams, the smallest first',
    description: 'Members of each team. A team without members notifies nobody.',
    width: 12,
    sortBy: [['Members', 'ascending']],
    columns: {
      team_name: { heading: 'Team' },
      Value: {
        heading: 'Members',
        unit: 'none',
        width: 110,
        thresholds: steps(colours.bad, [1, colours.good]),
      },
      account: { heading: 'Account', width: 110 },
    },
    queries: [
      {
        expr: eachAccount(ofAccount('uptime_team_members'), 'team_id', 'team_name'),
      },
    ],
  }),
];

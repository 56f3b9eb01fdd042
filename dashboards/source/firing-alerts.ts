import { linkTo, toRunbook } from './links.ts';
import { reference } from './selectors.ts';
import { plain, severities } from './states.ts';
import { tablePanel } from './table.ts';

/**
 * Selects alerts of the chosen jobs and accounts, and alerts without these labels, such as that all
 * exporters are absent. An alert about an exporter has the instance of its process, which may not be
 * that of its accounts. An alert with an unknown severity has the number 0.
 */
const chosen = 'job=~"$job|", account=~"$account|"';
const firing = (more: string) =>
  `max by (alertname, severity, name, group, account, instance, check_id) (ALERTS{${chosen}, alertstate="firing", alertname=~"Uptime.+"${more}})`;

export const firingAlerts = () =>
  tablePanel({
    title: 'Firing alerts',
    description:
      'Alerts of the rules that come with the exporter, as Prometheus evaluates them, the critical ones first. The table is also empty if Prometheus does not have these rules.',
    width: 24,
    height: 7,
    noValue: 'No alert fires here. Not known: whether Prometheus has the rules',
    sortBy: [
      ['Severity', 'descending'],
      ['Alert', 'ascending'],
      ['Instance', 'ascending'],
    ],
    columns: {
      // Wide enough for the longest name, whose end distinguishes alerts.
      alertname: { heading: 'Alert', width: 350, links: toRunbook() },
      Value: {
        heading: 'Severity',
        unit: 'none',
        width: 105,
        thresholds: plain,
        mappings: [severities],
      },
      name: {
        heading: 'Of',
        links: [
          linkTo(
            'Its board',
            'uptime-check',
            `var-check=${reference('__data.fields.ID:percentencode')}`,
            `var-account=${reference('__data.fields.Account:percentencode')}`,
          ),
        ],
      },
      group: { heading: 'Group', width: 105 },
      account: { heading: 'Account', width: 90 },
      // What an alert about an exporter is about.
      instance: { heading: 'Instance', width: 135 },
      check_id: { heading: 'ID', hidden: true },
    },
    queries: [
      {
        expr: [
          ...['critical', 'warning', 'info'].map(
            (severity, at) => `${3 - at} * ${firing(`, severity="${severity}"`)}`,
          ),
          `0 * ${firing('')}`,
        ].join('\nor '),
      },
    ],
  });

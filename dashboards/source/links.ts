import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  type DashboardLink,
  DashboardLinkBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { reference } from './selectors.ts';

/** Opens another dashboard with the same variables and time range; `choices` override variables. */
export function linkTo(
  title: string,
  uid: string,
  ...choices: readonly string[]
): Builder<DashboardLink> {
  const replaced = new Set(choices.map((choice) => choice.slice(0, choice.indexOf('='))));
  const kept = ['datasource', 'job', 'instance', 'account', 'exporter']
    .filter((name) => !replaced.has(`var-${name}`))
    .map((name) => reference(`${name}:queryparam`));
  return new DashboardLinkBuilder(title).url(
    `/d/${uid}?${[...kept, ...choices, reference('__url_time_range')].join('&')}`,
  );
}

const encoded = (field: string) => reference(`${field}:percentencode`);

/** Links to the board of a check or transaction, and to its page of the exporter. */
function toItem(kind: string, account: string, id: string): Builder<DashboardLink>[] {
  return [
    linkTo(
      'Its board',
      'uptime-check',
      `var-check=${encoded(id)}`,
      `var-account=${encoded(account)}`,
    ),
    new DashboardLinkBuilder("The exporter's page about it")
      .url(
        `${reference('exporter')}/accounts/${encoded(account)}/${reference(kind)}s/${encoded(id)}`,
      )
      .targetBlank(true),
  ];
}

/** Links of a table row with the columns "Kind", "Account" and "ID". */
export const toItemOfRow = () =>
  toItem('__data.fields.Kind', '__data.fields.Account', '__data.fields.ID');

/** Links of a series with the labels of a check or transaction. */
export const toItemOfSeries = () =>
  toItem('__field.labels.kind', '__field.labels.account', '__field.labels.check_id');

/** Links from the board of an item to the views of the exporter. */
export const exporterPage = () => [
  new DashboardLinkBuilder("The exporter's pages").url(reference('exporter')).targetBlank(true),
];

/** Links to the section of the exporter's runbook about the alert of a row. */
export const toRunbook = () => [
  new DashboardLinkBuilder('What to do')
    .url(`${reference('exporter')}/runbook#${encoded('__data.fields.Alert')}`)
    .targetBlank(true),
];

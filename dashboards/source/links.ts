import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  type DashboardLink,
  DashboardLinkBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { reference } from './variables.ts';

/**
 * Opens another dashboard with the same choices and time; `choices` replace those of their variables.
 */
export function linkTo(
  title: string,
  uid: string,
  ...choices: readonly string[]
): Builder<DashboardLink> {
  const replaced = new Set(choices.map((choice) => choice.slice(0, choice.indexOf('='))));
  const kept = ['datasource', 'job', 'instance', 'account']
    .filter((name) => !replaced.has(`var-${name}`))
    .map((name) => reference(`${name}:queryparam`));
  return new DashboardLinkBuilder(title).url(
    `/d/${uid}?${[...kept, ...choices, reference('__url_time_range')].join('&')}`,
  );
}

export type Kind = 'check' | 'transaction';

const boardOf: Readonly<Record<Kind, string>> = {
  check: 'uptime-check',
  transaction: 'uptime-transactions',
};

/** The board of a check or transaction, and its page of the exporter. */
function toItem(kind: Kind, account: string, id: string): Builder<DashboardLink>[] {
  const encoded = (field: string) => reference(`${field}:percentencode`);
  return [
    linkTo(
      `Board of this ${kind}`,
      boardOf[kind],
      `var-check=${encoded(id)}`,
      `var-account=${encoded(account)}`,
    ),
    new DashboardLinkBuilder(`The exporter's page of this ${kind}`)
      .url(`${reference('exporter')}/accounts/${encoded(account)}/${kind}s/${encoded(id)}`)
      .targetBlank(true),
  ];
}

/** Of the row of a table that has the columns "Account" and "ID". */
export const toItemOfRow = (kind: Kind) =>
  toItem(kind, '__data.fields.Account', '__data.fields.ID');

/** Of a series that bears the labels of a check or transaction. */
export const toItemOfSeries = (kind: Kind) =>
  toItem(kind, '__field.labels.account', '__field.labels.check_id');

import { transactionStatuses } from '../../domain/transaction.ts';
import { creditFamilies } from './credit-families.ts';
import { groupFamilies } from './error-budget-families.ts';
import type { AccountFamily } from './family.ts';
import { LabelCounts } from './label-counts.ts';
import { legacyFamilies } from './legacy-families.ts';
import { maintenanceFamilies } from './maintenance-families.ts';
import { peopleFamilies } from './people-families.ts';
import { probeFamilies } from './probe-families.ts';
import { recentOutageFamilies } from './recent-outage-families.ts';
import { accountFamiliesOf } from './row-families.ts';

const always = accountFamiliesOf();
const checks = accountFamiliesOf('checks');
const transactions = accountFamiliesOf('transactions');
const actions = accountFamiliesOf('actions');

/** Every family with series for the account as a whole. */
export const accountFamilies: readonly AccountFamily[] = [
  always.field(
    'uptime_up',
    '1 when the last refresh of the check list worked and is not stale.',
    'up',
  ),
  always.labelled(
    'uptime_account_info',
    "API version and base URL of the account, the random id of the exporter's store, and the lowest id of its checks; always 1.",
    {
      reads: ['apiVersion', 'baseUrl', 'storeId', 'checks'],
      labels: ['api_version', 'base_url', 'store', 'first_check'],
      samples: ({ apiVersion, baseUrl, storeId = '', checks }, emit) =>
        emit(1, apiVersion, baseUrl, storeId, String(checks?.[0]?.id ?? '')),
    },
  ),
  outagesOpen(),
  checks.field(
    'uptime_listed_checks',
    'Checks in the last list of the service, including those that a filter excludes; 0 if it lists none.',
    'listedChecks',
  ),
  checks.values(
    'uptime_checks',
    'Checks by type and status.',
    'checkCounts',
    ['check_type', 'status'],
    (byType, emit) => {
      for (const [type, counts] of [...byType].sort(([one], [other]) => (one < other ? -1 : 1))) {
        for (const [status, count] of counts) emit(count, type, status);
      }
    },
  ),
  transactions.values(
    'uptime_transactions',
    'Transactions by status.',
    'transactions',
    ['status'],
    (rows, emit) => {
      const counts = new LabelCounts(transactionStatuses.map((status) => [status]));
      for (const { status } of rows) counts.add(1, status);
      counts.emit(emit);
    },
  ),
  ...recentOutageFamilies,
  ...groupFamilies,
  ...creditFamilies,
  ...probeFamilies,
  ...maintenanceFamilies,
  actions.values(
    'uptime_alerts_sent_total',
    'Alerts sent for the check, by medium and delivery status; `sent` and `pending` count after 15 minutes.',
    'alertsSent',
    ['check_id', 'name', 'via', 'status'],
    (totals, emit) => {
      for (const { checkId, checkName, via, status, count } of totals) {
        emit(count, String(checkId), checkName, via, status);
      }
    },
  ),
  ...peopleFamilies,
  ...legacyFamilies,
];

/** A part for each dataset: a scrape that selects it has its counted and its open outages. */
function outagesOpen(): AccountFamily {
  const ofKind = (
    kind: 'check' | 'transaction',
    field: 'openCheckOutages' | 'openTransactionOutages',
  ): AccountFamily => ({
    ...accountFamiliesOf(`${kind}s`).values(
      'uptime_outages_open',
      'Open outages of the account by kind (check or transaction); absent until it is known which are open.',
      field,
      ['kind'],
      (count, emit) => emit(count, kind),
    ),
    neverWithdrawn: true,
  });
  const [check, transaction] = [
    ofKind('check', 'openCheckOutages'),
    ofKind('transaction', 'openTransactionOutages'),
  ];
  return { ...check, parts: [check, transaction] };
}

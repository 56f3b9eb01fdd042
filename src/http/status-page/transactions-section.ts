import type { CheckStatus } from '../../domain/check.ts';
import { type TransactionStatus, transactionStatuses } from '../../domain/transaction.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { TransactionRow } from '../../state/snapshot.ts';
import type { StateHistory } from '../ports.ts';
import { dayStrips } from './day-strips.ts';
import { displayText, formatDecimal, formatMoment } from './format.ts';
import { type Html, html } from './html.ts';
import { statusIcon } from './status-badge.ts';

const maxShown = 50;

const appearance: {
  readonly [S in TransactionStatus]: { readonly word: string; readonly like: CheckStatus };
} = {
  successful: { word: 'Successful', like: 'up' },
  failing: { word: 'Failing', like: 'down' },
  unknown: { word: 'Unknown', like: 'unknown' },
};

/** How many transactions are in each status, which ones fail and where, and their last 24 hours. */
export function transactionsSection(
  transactions: readonly TransactionRow[],
  history: StateHistory,
  nowSeconds: number,
): Html | undefined {
  if (transactions.length === 0) return undefined;
  const tiles = transactionStatuses.map((status) => {
    const count = transactions.filter((transaction) => transaction.status === status).length;
    const { word, like } = appearance[status];
    return html`
<li class="tile${count === 0 ? ' none' : ''}">${statusIcon(like)}<b>${formatDecimal(count)}</b> <span>${word}</span></li>`;
  });
  return html`
<h3>Transactions <small>${formatDecimal(transactions.length)} in all</small></h3>
<ul class="tiles">${tiles}
</ul>${unitNote(transactions)}${failingTable(transactions, nowSeconds)}${dayStrips(transactions, history, nowSeconds)}`;
}

/** Response times that cannot be, and the setting that mends them. */
function unitNote(transactions: readonly TransactionRow[]): Html | undefined {
  const withheld = transactions.filter(({ performance }) => performance?.withheld);
  if (withheld.length === 0) return undefined;
  return html`
<div class="note warn"><p><strong>Response times of transactions are withheld.</strong> Those of ${formatDecimal(withheld.length)} of ${formatDecimal(transactions.length)} are longer than the time between two runs, or a step is longer than an hour.</p>
<p>What to do: set <code>transaction_response_unit</code> to the unit in which the account is answered.</p></div>`;
}

function failingTable(
  transactions: readonly TransactionRow[],
  nowSeconds: number,
): Html | undefined {
  const failing = transactions.filter(({ status }) => status === 'failing');
  if (failing.length === 0) return undefined;
  const rows = failing.slice(0, maxShown).map(
    ({ id, name, failingStep, lastDowntimeStartAtSeconds: since }) => html`
<tr><th scope="row"><bdi>${displayText(name)}</bdi><small>transaction ${id}</small></th>
<td>${failingStep === undefined ? 'not known' : `step ${failingStep}`}</td>
<td>${since === undefined ? 'not known' : html`${humanizeDuration(nowSeconds - since)}<small>${formatMoment(since)}</small>`}</td></tr>`,
  );
  const more = failing.length - rows.length;
  return html`
<table class="down" aria-label="Transactions that are failing"><thead><tr><th scope="col">Failing now</th><th scope="col">At</th><th scope="col">For, since</th></tr></thead>
<tbody>${rows}
</tbody></table>${more > 0 ? html`<p>and ${formatDecimal(more)} more</p>` : undefined}`;
}

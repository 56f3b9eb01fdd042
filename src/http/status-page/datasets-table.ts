import { apiErrorReasons } from '../../api/errors.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { AccountSnapshot, DatasetFailure, DatasetStatus } from '../../state/snapshot.ts';
import { displayText, formatDecimal, formatMoment } from './format.ts';
import { type Html, html } from './html.ts';

/** How old each dataset is against its interval, and what its last failure was. */
export function datasetsTable(snapshot: AccountSnapshot, nowSeconds: number): Html {
  const rows = datasetNames.map((name) => {
    const status = snapshot.datasets[name];
    if (status === undefined) return undefined;
    return html`
<tr><th scope="row">${name}</th><td>${age(status, nowSeconds)}</td>
<td>${status.intervalSeconds === undefined ? '–' : humanizeDuration(status.intervalSeconds)}</td>
<td>${status.items === undefined ? '–' : formatDecimal(status.items)}</td></tr>`;
  });
  const failures = datasetNames.map((name) => {
    const failure = snapshot.datasets[name]?.failure;
    return failure === undefined ? undefined : failureNote(name, failure, nowSeconds);
  });
  return html`
<h3>Datasets</h3>
<table aria-label="Datasets"><thead><tr><th scope="col">Dataset</th><th scope="col">Age</th><th scope="col">Every</th><th scope="col">Entries</th></tr></thead>
<tbody>${rows}
</tbody></table>${failures}`;
}

function age({ lastSuccessAtSeconds, stale }: DatasetStatus, nowSeconds: number): Html {
  if (lastSuccessAtSeconds === undefined) return html`no data yet`;
  const words = humanizeDuration(nowSeconds - lastSuccessAtSeconds);
  return stale ? html`${words} <span class="badge bad">Stale</span>` : html`${words}`;
}

function failureNote(name: string, failure: DatasetFailure, nowSeconds: number): Html {
  const { consecutive } = failure;
  const times = consecutive === 1 ? 'once' : `${formatDecimal(consecutive)} times in a row`;
  return html`
<div class="note bad"><p><strong>${name}: ${failure.reason}</strong>, failed ${times}, failing for ${humanizeDuration(nowSeconds - failure.sinceSeconds)}, since ${formatMoment(failure.sinceSeconds)}.</p>
<p><bdi>${displayText(failure.message)}</bdi></p>
<p>What to do: ${apiErrorReasons[failure.reason]}</p></div>`;
}

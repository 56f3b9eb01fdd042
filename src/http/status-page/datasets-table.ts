import { apiErrorReasons } from '../../api/errors.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { durationWords } from '../../lib/duration-words.ts';
import type { AccountSnapshot } from '../../state/account-snapshot.ts';
import type { DatasetFailure, DatasetStatus } from '../../state/dataset-status.ts';
import { type Html, html } from '../html.ts';
import { displayText } from './display-text.ts';
import { momentWords, numberWords } from './words.ts';

/** How old each dataset is against its interval, and what its last failure was. */
export function datasetsTable(snapshot: AccountSnapshot, nowSeconds: number): Html {
  const rows = datasetNames.map((name) => {
    const status = snapshot.datasets[name];
    if (status === undefined) return undefined;
    return html`
<tr><th scope="row">${name}</th><td>${age(status, nowSeconds)}</td>
<td>${status.intervalSeconds === undefined ? '–' : durationWords(status.intervalSeconds)}</td>
<td>${status.items === undefined ? '–' : numberWords(status.items)}</td></tr>`;
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
  const words = durationWords(nowSeconds - lastSuccessAtSeconds);
  return stale ? html`${words} <span class="badge bad">Stale</span>` : html`${words}`;
}

function failureNote(name: string, failure: DatasetFailure, nowSeconds: number): Html {
  const { consecutive } = failure;
  const times = consecutive === 1 ? 'once' : `${numberWords(consecutive)} times in a row`;
  return html`
<div class="note bad"><p><strong>${name}: ${failure.reason}</strong>, failed ${times}, failing for ${durationWords(nowSeconds - failure.sinceSeconds)}, since ${momentWords(failure.sinceSeconds)}.</p>
<p><bdi>${displayText(failure.message)}</bdi></p>
<p>What to do: ${apiErrorReasons[failure.reason]}</p></div>`;
}

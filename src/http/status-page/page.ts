import type { RequestHandler } from 'express';
import { type Clock, unixSeconds } from '../../lib/clock.ts';
import type {
  AccountStatus,
  ConfigurationSource,
  LastReload,
  StatusSource,
  StorageFailure,
  StorageSource,
} from '../ports.ts';
import { accountBadge } from './account-badge.ts';
import { accountSection } from './account-section.ts';
import { displayText, formatMoment } from './format.ts';
import { type Html, html } from './html.ts';
import { style, styleSource } from './style.ts';

interface StatusPageFacts {
  readonly accounts: readonly AccountStatus[];
  readonly version: string;
  readonly telemetryPath: string;
  readonly nowSeconds: number;
  /** Absent when there is no configuration that could be read again. */
  readonly configuration?: LastReload;
  /** Absent while the state can be stored. */
  readonly storageFailure?: StorageFailure;
}

/** Links are relative, so that they hold behind a proxy that adds a prefix. */
function statusPage({
  accounts,
  version,
  telemetryPath,
  nowSeconds,
  configuration,
  storageFailure,
}: StatusPageFacts): Html {
  const sections = accounts.map((status, index) =>
    accountSection(status, anchorOf(index), nowSeconds),
  );
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="30">
<title>uptime-exporter</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>uptime-exporter <small>${version}</small></h1>
<nav aria-label="Endpoints"><ul><li><a href=".${telemetryPath}">Metrics</a></li><li><a href="./-/healthy">Healthy</a></li><li><a href="./-/ready">Ready</a></li><li><a href="./status.json">JSON</a></li>${configuration && html`<li><a href="./config">Configuration</a></li>`}</ul></nav>
</header>
<main>${pausedCounters(storageFailure)}${reloadFailure(configuration)}${overview(accounts)}${accounts.length === 0 ? html`<p>No account is configured.</p>` : sections}
</main>
<footer><p>As of ${formatMoment(nowSeconds)}. This page loads itself anew every 30 seconds; it costs no API request.</p></footer>
</body>
</html>
`;
}

function pausedCounters(failure: StorageFailure | undefined): Html | undefined {
  if (failure === undefined) return undefined;
  return html`<section aria-labelledby="storage"><h2 id="storage">Storage <span class="badge bad">write failed</span></h2>
<p>Counters are paused since ${formatMoment(failure.sinceSeconds)}, and what was stored last is served. They go on, without a gap, when a write succeeds: ${displayText(failure.message)}</p></section>
`;
}

function reloadFailure(last: LastReload | undefined): Html | undefined {
  if (last?.failure === undefined) return undefined;
  return html`<section aria-labelledby="configuration"><h2 id="configuration">Configuration <span class="badge bad">not reloaded</span></h2>
<p>The configuration of ${formatMoment(last.succeededAtSeconds)} is still in use. Mend what is wrong and reload it again:</p>
<ul>${last.failure.split('\n').map((problem) => html`<li>${displayText(problem)}</li>`)}</ul></section>
`;
}

/** With several accounts, the way to each and how it is doing. */
function overview(accounts: readonly AccountStatus[]): Html | undefined {
  if (accounts.length < 2) return undefined;
  const items = accounts.map((status, index) => {
    const { word, tone } = accountBadge(status);
    return html`<li><a href="#${anchorOf(index)}"><bdi>${displayText(status.snapshot.account)}</bdi></a> <span class="badge ${tone}">${word}</span></li>`;
  });
  return html`<nav aria-label="Accounts"><ul class="accounts">${items}</ul></nav>`;
}

function anchorOf(index: number): string {
  return `account-${index + 1}`;
}

interface StatusPageOptions {
  readonly status: StatusSource;
  readonly telemetryPath: string;
  readonly version: string;
  readonly clock: Clock;
  readonly configuration?: ConfigurationSource;
  readonly storage?: StorageSource;
}

/** Nothing but the page's own style sheet is loaded or run, whatever a name in it may hold. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function statusPageHandler(options: StatusPageOptions): RequestHandler {
  const { status, telemetryPath, version, clock, configuration, storage } = options;
  return (_request, response) => {
    const page = statusPage({
      accounts: status.accounts(),
      version,
      telemetryPath,
      nowSeconds: unixSeconds(clock),
      ...(configuration !== undefined && { configuration: configuration.last }),
      ...(storage?.failure !== undefined && { storageFailure: storage.failure }),
    });
    const body = Buffer.from(page.toString());
    response
      .status(200)
      .set('Content-Type', 'text/html; charset=utf-8')
      .set('Content-Length', String(body.byteLength))
      .set('Cache-Control', 'no-store')
      .set('Content-Security-Policy', contentSecurityPolicy)
      .set('X-Content-Type-Options', 'nosniff')
      .set('Referrer-Policy', 'no-referrer')
      .end(body);
  };
}

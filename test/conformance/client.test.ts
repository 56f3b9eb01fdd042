import { describe, expect, onTestFinished, test } from 'vitest';
import { documentedOperations } from '../../sandbox/test/conformance/documented-operations.ts';
import { startTestSandbox, token } from '../../sandbox/test/start-test-sandbox.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { HttpClient } from '../../src/api/http/client.ts';
import type { MonitoringService } from '../../src/api/service.ts';
import { createService } from '../../src/api/versions.ts';
import { type OperationName, operationsOf } from '../../src/domain/dataset.ts';
import { type ApiVersion, apiVersions } from '../../src/domain/version.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { legacyCredentials } from '../support/accounts-by-version.ts';
import { readBy, unread } from './client-operations.ts';

const day = 86_400;

async function serviceOf(version: ApiVersion) {
  const { sandbox, clock } = await startTestSandbox({ checks: 40 });
  const transport = new HttpClient({
    baseUrl: sandbox.url,
    version,
    authentication: version === '3.1' ? bearerToken(new Secret(token)) : legacyCredentials,
    gate: { admit: () => ({ release: () => {} }) },
    clock,
    scrubber: new Scrubber(),
  });
  onTestFinished(() => transport.close());
  const now = Math.floor(clock.now() / 1000);
  return { service: createService(version, transport), now };
}

type Read = (service: MonitoringService, now: number, signal: AbortSignal) => Promise<unknown>;

async function firstId(list: Promise<{ items: readonly { id: number }[] }>): Promise<number> {
  const { items } = await list;
  return items[0]?.id ?? 0;
}

const period = (now: number) => ({ fromSeconds: now - day, toSeconds: now });

function ofCheck(
  read: (
    service: MonitoringService,
    checkId: number,
    now: number,
    signal: AbortSignal,
  ) => Promise<unknown>,
): Read {
  return async (service, now, signal) =>
    read(service, await firstId(service.listChecks(signal)), now, signal);
}

function ofTransaction(
  read: (
    service: MonitoringService,
    id: number,
    now: number,
    signal: AbortSignal,
  ) => Promise<unknown>,
): Read {
  return async (service, now, signal) =>
    read(service, await firstId(service.listTransactions(signal)), now, signal);
}

const reads: { readonly [O in OperationName]: Read } = {
  list_checks: (service, _now, signal) => service.listChecks(signal),
  get_check: ofCheck((service, checkId, _now, signal) => service.check({ checkId }, signal)),
  list_results: ofCheck((service, checkId, now, signal) =>
    service.listResults({ checkId, ...period(now) }, signal),
  ),
  get_average: ofCheck((service, checkId, now, signal) =>
    service.average({ checkId, ...period(now) }, signal),
  ),
  get_hours_of_day: ofCheck((service, checkId, now, signal) =>
    service.hoursOfDay({ checkId, ...period(now) }, signal),
  ),
  list_outages: ofCheck((service, checkId, now, signal) =>
    service.listOutages({ checkId, ...period(now) }, signal),
  ),
  get_performance: ofCheck((service, checkId, now, signal) =>
    service.performance({ checkId, ...period(now), resolution: 'hour' }, signal),
  ),
  list_active_probes: ofCheck((service, checkId, now, signal) =>
    service.listActiveProbes({ checkId, ...period(now) }, signal),
  ),
  list_analyses: ofCheck((service, checkId, now, signal) =>
    service.listAnalyses({ checkId, ...period(now) }, signal),
  ),
  get_credits: (service, _now, signal) => service.credits(signal),
  list_probes: (service, _now, signal) => service.listProbes(signal),
  list_actions: (service, now, signal) => service.listActions(period(now), signal),
  list_contacts: (service, _now, signal) => service.listContacts(signal),
  list_maintenance: (service, _now, signal) => service.listMaintenance(signal),
  list_teams: (service, _now, signal) => service.listTeams(signal),
  list_occurrences: (service, now, signal) => service.listOccurrences(period(now), signal),
  list_transactions: (service, _now, signal) => service.listTransactions(signal),
  list_transaction_states: (service, now, signal) =>
    service.listTransactionStates(period(now), signal),
  get_transaction_performance: ofTransaction((service, transactionId, now, signal) =>
    service.transactionPerformance({ transactionId, ...period(now), resolution: 'hour' }, signal),
  ),
  get_server_time: (service, _now, signal) => service.serverTime(signal),
  list_email_reports: (service, _now, signal) => service.listEmailReports(signal),
  list_public_reports: (service, _now, signal) => service.listPublicReports(signal),
  list_shared_reports: (service, _now, signal) => service.listSharedReports(signal),
};

const cases = apiVersions.flatMap((version) =>
  [...operationsOf(version)].map((operation) => [version, operation] as const),
);

describe('the client reads from the sandbox', () => {
  test.each(cases)('%s %s', async (version, operation) => {
    const { service, now } = await serviceOf(version);

    const answer = await reads[operation](service, now, new AbortController().signal);

    expect(answer).toBeDefined();
    if (isListing(answer)) expect(answer.rejected).toEqual([]);
  });
});

function isListing(answer: unknown): answer is { rejected: unknown[] } {
  return typeof answer === 'object' && answer !== null && 'rejected' in answer;
}

describe('the documented reads', () => {
  const gets = documentedOperations.filter(({ method }) => method === 'GET');

  test.each(gets.map((row) => [row.path, row] as const))(
    '%s is an operation of the client, or has a reason why not',
    (path, { versions }) => {
      const operation = readBy[path];
      if (operation === undefined) {
        expect(unread[path]).toBeDefined();
        return;
      }
      for (const version of versions) expect(operationsOf(version)).toContain(operation);
    },
  );

  test('are all that the client has', () => {
    const documented = new Set(
      gets.flatMap(({ versions, path }) => versions.map((version) => `${version} ${readBy[path]}`)),
    );
    expect(
      cases.map(([version, name]) => `${version} ${name}`).filter((name) => !documented.has(name)),
    ).toEqual([]);
  });
});

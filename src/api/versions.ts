import { type MethodOf, operationNames, operations, operationsOf } from '../domain/dataset.ts';
import { SharedTags } from '../domain/shared-tags.ts';
import type { ApiVersion } from '../domain/version.ts';
import { ApiError } from './errors.ts';
import type { Reader } from './reader.ts';
import { getCredits, getServerTime } from './resources/account.ts';
import {
  listEmailReports,
  listPublicReports,
  listSharedReports,
} from './resources/account-reports.ts';
import { listActions } from './resources/actions.ts';
import { listAnalyses } from './resources/analyses.ts';
import { getAverage, getHoursOfDay } from './resources/averages.ts';
import { getCheck, listChecks } from './resources/checks.ts';
import { listMaintenance, listOccurrences } from './resources/maintenance.ts';
import { listOutages } from './resources/outages.ts';
import {
  listContacts,
  listLegacyContacts,
  listLegacyTeams,
  listTeams,
  listUsers,
} from './resources/people.ts';
import { getPerformance } from './resources/performance.ts';
import { listActiveProbes, listProbes } from './resources/probes.ts';
import { listResults } from './resources/results.ts';
import { getTransactionPerformance } from './resources/transaction-performance.ts';
import { listTransactionStates } from './resources/transaction-states.ts';
import { listTransactions } from './resources/transactions.ts';
import type { MonitoringService, ServiceOperations } from './service.ts';

/**
 * The service in one API version, which has exactly the operations of `methods`. Methods for
 * missing operations reject with `unsupported`.
 */
function createDialect<V extends ApiVersion>(
  version: V,
  { baseUrl }: Reader,
  methods: Pick<ServiceOperations, MethodOf<V>>,
): MonitoringService {
  const capabilities = operationsOf(version);
  const unsupported = operationNames
    .filter((operation) => !capabilities.has(operation))
    .map((operation) => [operations[operation].method, unsupportedMethod(operation, version)]);
  return {
    ...(Object.fromEntries(unsupported) as ServiceOperations),
    ...methods,
    version,
    baseUrl,
    capabilities,
  };
}

function unsupportedMethod(operation: string, version: ApiVersion): () => Promise<never> {
  return async () => {
    const message = `API ${version} has no such operation`;
    throw new ApiError({ reason: 'unsupported', operation, message });
  };
}

/** The operations that every version has in the same form (API 3.1 and API 2.x, section 4). */
function commonMethods(reader: Reader) {
  return {
    listResults: (query, signal) => listResults(reader, query, signal),
    average: (query, signal) => getAverage(reader, query, signal),
    hoursOfDay: (query, signal) => getHoursOfDay(reader, query, signal),
    listOutages: (query, signal) => listOutages(reader, query, signal),
    performance: (query, signal) => getPerformance(reader, query, signal),
    listActiveProbes: (query, signal) => listActiveProbes(reader, query, signal),
    listAnalyses: (query, signal) => listAnalyses(reader, query, signal),
    credits: (signal) => getCredits(reader, signal),
    listProbes: (signal) => listProbes(reader, signal),
    listActions: (query, signal) => listActions(reader, query, signal),
  } satisfies Partial<ServiceOperations>;
}

/** The operations that versions 2.0 and 2.1 have in the same form (API 2.x, section 4). */
function legacyMethods(reader: Reader) {
  return {
    ...commonMethods(reader),
    serverTime: (signal) => getServerTime(reader, signal),
    listEmailReports: (signal) => listEmailReports(reader, signal),
    listPublicReports: (signal) => listPublicReports(reader, signal),
    listSharedReports: (signal) => listSharedReports(reader, signal),
  } satisfies Partial<ServiceOperations>;
}

export function createServiceV31(reader: Reader): MonitoringService {
  const tags = new SharedTags();
  return createDialect('3.1', reader, {
    ...commonMethods(reader),
    listChecks: (signal, known) => listChecks({ reader, tags, signal, known }),
    check: (query, signal) => getCheck(reader, query, signal),
    listContacts: (signal) => listContacts(reader, signal),
    listMaintenance: (signal) => listMaintenance(reader, signal),
    listTeams: (signal) => listTeams(reader, signal),
    listOccurrences: (query, signal) => listOccurrences(reader, query, signal),
    listTransactions: (signal) => listTransactions(reader, signal),
    listTransactionStates: (query, signal) => listTransactionStates(reader, query, signal),
    transactionPerformance: (query, signal) => getTransactionPerformance(reader, query, signal),
  });
}

function createServiceV21(reader: Reader): MonitoringService {
  const tags = new SharedTags();
  return createDialect('2.1', reader, {
    ...legacyMethods(reader),
    listChecks: (signal, known) => listChecks({ reader, tags, signal, known }),
    check: (query, signal) => getCheck(reader, query, signal),
    listContacts: (signal) => listUsers(reader, signal),
    listMaintenance: (signal) => listMaintenance(reader, signal),
    listTeams: (signal) => listLegacyTeams(reader, signal),
  });
}

/** Version 2.0 has neither severities nor teams (API 2.x, section 9). */
function createServiceV20(reader: Reader): MonitoringService {
  const tags = new SharedTags();
  return createDialect('2.0', reader, {
    ...legacyMethods(reader),
    listChecks: (signal, known) =>
      listChecks({ reader, tags, signal, known, query: { include_tags: true } }),
    check: (query, signal) => getCheck(reader, query, signal, {}),
    listContacts: (signal) => listLegacyContacts(reader, signal),
  });
}

/** `reader` reads below `/api/{version}`. */
export function createService(version: ApiVersion, reader: Reader): MonitoringService {
  switch (version) {
    case '3.1':
      return createServiceV31(reader);
    case '2.1':
      return createServiceV21(reader);
    case '2.0':
      return createServiceV20(reader);
  }
}

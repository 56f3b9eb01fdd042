import type { ApiVersion } from '../domain/version.ts';
import { ApiError } from './errors.ts';
import { type MethodOf, operationNames, operations, operationsOf } from './operations-table.ts';
import type { Reader } from './reader.ts';
import {
  listEmailReports,
  listPublicReports,
  listSharedReports,
} from './resources/account-reports.ts';
import { getSettings } from './resources/account-settings.ts';
import { listActions } from './resources/actions.ts';
import { getAnalysis, listAnalyses } from './resources/analyses.ts';
import { getAverage, getHoursOfDay } from './resources/averages.ts';
import { getCheck, listChecks } from './resources/checks.ts';
import { listContacts, listLegacyContacts, listUsers } from './resources/contacts.ts';
import { getCredits } from './resources/credits.ts';
import { listMaintenance, listOccurrences } from './resources/maintenance.ts';
import { listOutages } from './resources/outages.ts';
import { getPerformance } from './resources/performance.ts';
import { listActiveProbes, listProbes } from './resources/probes.ts';
import { getReference } from './resources/reference.ts';
import { listResults } from './resources/results.ts';
import { getServerTime } from './resources/server-time.ts';
import { listLegacyTeams, listTeams } from './resources/teams.ts';
import { getTransactionPerformance } from './resources/transaction-performance.ts';
import { getTransactionStates, listTransactionStates } from './resources/transaction-states.ts';
import { getTransaction, listTransactions } from './resources/transactions.ts';
import type { MonitoringService, ServiceOperations } from './service.ts';

interface DialectOptions<V extends ApiVersion> {
  readonly version: V;
  readonly baseUrl: string;
  /** Exactly the operations that the version has. */
  readonly methods: Pick<ServiceOperations, MethodOf<V>>;
}

/** The service in one version: its operations, and a refusal in place of each that it lacks. */
function createDialect<V extends ApiVersion>({
  version,
  baseUrl,
  methods,
}: DialectOptions<V>): MonitoringService {
  const capabilities = operationsOf(version);
  const refusals = operationNames
    .filter((operation) => !capabilities.has(operation))
    .map((operation) => [operations[operation].method, unsupportedMethod(operation, version)]);
  return {
    ...(Object.fromEntries(refusals) as ServiceOperations),
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
function commonMethods(transport: Reader) {
  return {
    listResults: (query, signal) => listResults(transport, query, signal),
    average: (query, signal) => getAverage(transport, query, signal),
    hoursOfDay: (query, signal) => getHoursOfDay(transport, query, signal),
    listOutages: (query, signal) => listOutages(transport, query, signal),
    performance: (query, signal) => getPerformance(transport, query, signal),
    listActiveProbes: (query, signal) => listActiveProbes(transport, query, signal),
    listAnalyses: (query, signal) => listAnalyses(transport, query, signal),
    analysis: (query, signal) => getAnalysis(transport, query, signal),
    credits: (signal) => getCredits(transport, signal),
    listProbes: (signal) => listProbes(transport, signal),
    reference: (signal) => getReference(transport, signal),
    listActions: (query, signal) => listActions(transport, query, signal),
  } satisfies Partial<ServiceOperations>;
}

/** The operations that versions 2.0 and 2.1 have in the same form (API 2.x, section 4). */
function legacyMethods(transport: Reader) {
  return {
    ...commonMethods(transport),
    serverTime: (signal) => getServerTime(transport, signal),
    settings: (signal) => getSettings(transport, signal),
    listEmailReports: (signal) => listEmailReports(transport, signal),
    listPublicReports: (signal) => listPublicReports(transport, signal),
    listSharedReports: (signal) => listSharedReports(transport, signal),
  } satisfies Partial<ServiceOperations>;
}

interface ServiceV31Options {
  /** Reads below `/api/3.1`. */
  readonly transport: Reader;
}

/** The service in its version 3.1. */
export function createServiceV31({ transport }: ServiceV31Options): MonitoringService {
  return createDialect({
    version: '3.1',
    baseUrl: transport.baseUrl,
    methods: {
      ...commonMethods(transport),
      listChecks: (signal) => listChecks(transport, signal),
      check: (query, signal) => getCheck(transport, query, signal),
      listContacts: (signal) => listContacts(transport, signal),
      listMaintenance: (signal) => listMaintenance(transport, signal),
      listTeams: (signal) => listTeams(transport, signal),
      listOccurrences: (query, signal) => listOccurrences(transport, query, signal),
      listTransactions: (signal) => listTransactions(transport, signal),
      transaction: (query, signal) => getTransaction(transport, query, signal),
      listTransactionStates: (query, signal) => listTransactionStates(transport, query, signal),
      transactionStates: (query, signal) => getTransactionStates(transport, query, signal),
      transactionPerformance: (query, signal) =>
        getTransactionPerformance(transport, query, signal),
    },
  });
}

interface ServiceV21Options {
  /** Reads below `/api/2.1`. */
  readonly transport: Reader;
}

/** The service in its version 2.1. */
function createServiceV21({ transport }: ServiceV21Options): MonitoringService {
  return createDialect({
    version: '2.1',
    baseUrl: transport.baseUrl,
    methods: {
      ...legacyMethods(transport),
      listChecks: (signal) => listChecks(transport, signal),
      check: (query, signal) => getCheck(transport, query, signal),
      listContacts: (signal) => listUsers(transport, signal),
      listMaintenance: (signal) => listMaintenance(transport, signal),
      listTeams: (signal) => listLegacyTeams(transport, signal),
    },
  });
}

interface ServiceV20Options {
  /** Reads below `/api/2.0`. */
  readonly transport: Reader;
}

/** The service in its version 2.0, which knows neither severities nor teams (API 2.x, section 9). */
function createServiceV20({ transport }: ServiceV20Options): MonitoringService {
  return createDialect({
    version: '2.0',
    baseUrl: transport.baseUrl,
    methods: {
      ...legacyMethods(transport),
      listChecks: (signal) => listChecks(transport, signal, { include_tags: true }),
      check: (query, signal) => getCheck(transport, query, signal, {}),
      listContacts: (signal) => listLegacyContacts(transport, signal),
    },
  });
}

/** The transport reads below `/api/{version}`. */
interface CreateServiceOptions extends ServiceV31Options {
  readonly version: ApiVersion;
}

/** The service in the version that an account is configured for. */
export function createService({ version, ...options }: CreateServiceOptions): MonitoringService {
  switch (version) {
    case '3.1':
      return createServiceV31(options);
    case '2.1':
      return createServiceV21(options);
    case '2.0':
      return createServiceV20(options);
  }
}

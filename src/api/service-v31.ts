import { commonMethods } from './common-methods.ts';
import { createDialect } from './dialect.ts';
import { getCheck } from './operations/get-check.ts';
import { getTransaction } from './operations/get-transaction.ts';
import { getTransactionPerformance } from './operations/get-transaction-performance.ts';
import { getTransactionStates } from './operations/get-transaction-states.ts';
import { listChecks } from './operations/list-checks.ts';
import { listContacts } from './operations/list-contacts.ts';
import { listMaintenance } from './operations/list-maintenance.ts';
import { listOccurrences } from './operations/list-occurrences.ts';
import { listTeams } from './operations/list-teams.ts';
import { listTransactionStates } from './operations/list-transaction-states.ts';
import { listTransactions } from './operations/list-transactions.ts';
import type { Reader } from './reader.ts';
import type { MonitoringService } from './service.ts';

/** Units of `average_response` in the performance reports of transactions, in a second. */
const unitsPerSecond = { milliseconds: 1000, microseconds: 1_000_000 } as const;

export type TransactionResponseUnit = keyof typeof unitsPerSecond;

export interface ServiceOptions {
  /** Reads below `/api/3.1`. */
  readonly transport: Reader;
  /**
   * Unit of the response times of transactions; milliseconds unless said otherwise (API 3.1, section
   * 2.11). Some accounts are answered in microseconds.
   */
  readonly transactionResponseUnit?: TransactionResponseUnit;
}

/** The service in its version 3.1. */
export function createServiceV31({
  transport,
  transactionResponseUnit = 'milliseconds',
}: ServiceOptions): MonitoringService {
  const unit = { unitsPerSecond: unitsPerSecond[transactionResponseUnit] };
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
        getTransactionPerformance(transport, { ...query, ...unit }, signal),
    },
  });
}

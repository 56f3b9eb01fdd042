import type { Operation } from '../operation.ts';
import { listTransactions, readTransaction } from './read-transactions.ts';
import { reportPerformance, reportStatus, reportStatusOfAll } from './report-operations.ts';
import { createTransaction, deleteTransaction, modifyTransaction } from './write-transactions.ts';

export const transactionOperations: readonly Operation[] = [
  listTransactions,
  createTransaction,
  readTransaction,
  modifyTransaction,
  deleteTransaction,
  reportStatusOfAll,
  reportStatus,
  reportPerformance,
];

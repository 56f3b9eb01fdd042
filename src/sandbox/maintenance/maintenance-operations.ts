import type { Operation } from '../operation.ts';
import { occurrenceOperations } from './occurrence-operations.ts';
import { windowOperations } from './window-operations.ts';

export const maintenanceOperations: readonly Operation[] = [
  ...windowOperations,
  ...occurrenceOperations,
];

import type { Operation } from '../operation.ts';
import { createCheck } from './create-check.ts';
import { deleteCheck, deleteChecks } from './delete-checks.ts';
import { listChecks } from './list-checks.ts';
import { modifyCheck } from './modify-check.ts';
import { modifyChecks } from './modify-checks.ts';
import { readCheck } from './read-check.ts';

export const checkOperations: readonly Operation[] = [
  listChecks,
  createCheck,
  modifyChecks,
  deleteChecks,
  readCheck,
  modifyCheck,
  deleteCheck,
];

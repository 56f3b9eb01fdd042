import type { Operation } from '../operation.ts';
import { listProbes } from './list-probes.ts';
import { readReference } from './read-reference.ts';
import { readServerTime } from './read-server-time.ts';

export const accountDataOperations: readonly Operation[] = [
  listProbes,
  readReference,
  readServerTime,
];

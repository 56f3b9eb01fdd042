import type { MonitoringService } from '../../../src/api/service.ts';
import type { OperationName } from '../../../src/domain/dataset.ts';

export interface Case {
  readonly operation: OperationName;
  readonly call: (service: MonitoringService, signal: AbortSignal) => Promise<unknown>;
  /** Below `/api/{version}`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly reply: unknown;
  readonly answer: unknown;
}

export const checkId = 85975;
export const period = { fromSeconds: 1293840000, toSeconds: 1293926400 };
export const checkPeriod = { checkId, ...period };
export const from = '1293840000';
export const to = '1293926400';

export const listing = (...items: unknown[]) => ({ items, rejected: [] });
export const decoded = (value: unknown) => ({ value, rejected: [] });

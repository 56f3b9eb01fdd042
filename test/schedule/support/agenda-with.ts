import { type DatasetName, datasetPolicies } from '../../../src/domain/dataset.ts';
import { Agenda, type AgendaTask } from '../../../src/schedule/agenda.ts';
import type { EventAllowance } from '../../../src/schedule/event-allowance.ts';
import type { Plan } from '../../../src/schedule/plan.ts';

export const second = 1000;
export const hour = 3600 * second;

export interface Row {
  readonly name: DatasetName;
  readonly intervalSeconds: number;
  /** By default the same. */
  readonly lastingIntervalSeconds?: number;
  readonly items?: number;
  readonly cost?: number;
  /** By default that of the check list and the transactions. */
  readonly isStatus?: boolean;
  readonly isOnce?: true;
  /** Its items are pasts beyond 35 days. */
  readonly isDeeper?: true;
}

export function planOf(...rows: Row[]): Plan {
  const datasets = rows.map(({ name, intervalSeconds, items = 1, cost = 1, isOnce, ...row }) => ({
    name,
    items,
    cost,
    intervalSeconds,
    lastingIntervalSeconds: row.lastingIntervalSeconds ?? intervalSeconds,
    isStatus: row.isStatus ?? (name === 'checks' || name === 'transactions'),
    ...(isOnce && { isOnce }),
    requestsPerSecond: (items * cost) / intervalSeconds,
    overCeiling: false,
    missingPerHour: 0,
  }));
  const once = rows.find(({ isDeeper }) => isDeeper);
  return {
    datasets,
    requestsPerSecond: 0,
    spareRequestsPerSecond: 0,
    demandPerSecond: 0,
    ...(once && { firstSightRequestsPerSecond: (once.items ?? 1) / once.intervalSeconds }),
  };
}

export const plenty: EventAllowance = { requestsPerSecond: 1, burst: 100 };

const items = { slotOf: (id: number) => ({ slot: id, generation: 1 }) };
/** The id of an item is its slot. */
export const slotsById = { checks: items, transactions: items };

/** An agenda whose items have data of this age. Items that are read only once have no data. */
export function agendaWith(rows: Row[], allowance = plenty, ageSeconds?: number): Agenda {
  const agenda = new Agenda(() => 1, slotsById);
  agenda.applyPlan(planOf(...rows), allowance, 0);
  for (const { name, items = 1, isDeeper } of rows) {
    const { scope, isOnce } = datasetPolicies[name];
    const isOfAccount = scope === 'account';
    const known = Array.from({ length: items }, (_, place) => ({
      id: isOfAccount ? ('account' as const) : place,
      ...(ageSeconds !== undefined && !isOnce && { ageSeconds }),
      ...(isDeeper && { isDeeper }),
    }));
    agenda.reconcile(name, known, 0);
  }
  return agenda;
}

export function take(agenda: Agenda, now: number): AgendaTask {
  const task = agenda.next(now);
  if (task === undefined) throw new Error('nothing is due');
  return task;
}

export const checks = { name: 'checks', intervalSeconds: 60 } as const;
export const results = { name: 'results', intervalSeconds: 3600, items: 10 } as const;

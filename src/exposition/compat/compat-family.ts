import type { BudgetView } from '../../budget/budget-view.ts';
import type { ItemStates, ReportedSeconds } from '../../slo/reported-states.ts';
import type { AccountSnapshot, CheckRow } from '../../state/snapshot.ts';
import type { SampledFamily, SampleValue } from '../catalogue/family.ts';
import type { CompatOptions } from './compat-options.ts';

/** The data of an account from which the families of other exporters are made. */
export interface CompatAccount {
  readonly snapshot: AccountSnapshot;
  readonly budget: BudgetView;
  /** Absent when nothing is counted; the families from outage reports are then absent. */
  readonly states?: { readonly ofCheck: (id: number) => ItemStates | undefined };
}

/** A check, with the totals of an outage report of the last days. */
export interface CompatCheck {
  readonly check: CheckRow;
  /** Undefined while the past of the check is unknown. */
  readonly report: ReportedSeconds | undefined;
  /** The number of checks of the account per tag name. */
  readonly tagCounts: ReadonlyMap<string, number>;
}

/** The families of one of the other exporters (docs/migration.md). */
export interface CompatExporter {
  readonly accountFamilies: (options: CompatOptions) => readonly SampledFamily<CompatAccount>[];
  readonly checkFamilies: (options: CompatOptions) => readonly SampledFamily<CompatCheck>[];
  /** Returns whether a check has series at all. */
  readonly shows: (check: CheckRow) => boolean;
  /** Whether the series of checks stay when the last list failed. */
  readonly keepsChecks: boolean;
}

/** The labels of a check, by their names in the other exporters. */
const checkLabels = {
  id: ({ id }) => `${id}`,
  name: ({ name }) => name,
  hostname: ({ hostname = '' }) => hostname,
  status: ({ status }) => status,
  /** In minutes, as in the list. */
  resolution: ({ resolutionSeconds = 0 }) => `${resolutionSeconds / 60}`,
  paused: ({ status }) => `${status === 'paused'}`,
  tags: ({ tags }) => tags.map(({ name }) => name).join(','),
} as const satisfies Record<string, (check: CheckRow) => string>;

export type CheckLabel = keyof typeof checkLabels;

/** Makes a family of another exporter. All of them are gauges, even `pingdom_outages_total`. */
export function gauge<R>(
  name: string,
  help: string,
  labels: readonly string[],
  samples: SampledFamily<R>['samples'],
): SampledFamily<R> {
  return { name, type: 'gauge', help, commonLabels: [], labels, samples };
}

/** Makes a family with one series per check; a check without a value has none. */
export function checkFamily(
  name: string,
  help: string,
  labels: readonly CheckLabel[],
  value: (row: CompatCheck) => SampleValue,
): SampledFamily<CompatCheck> {
  return gauge(name, help, labels, (row, { emit }) =>
    emit(value(row), ...labels.map((label) => checkLabels[label](row.check))),
  );
}

/** Makes a family without labels. */
export function accountFamily(
  name: string,
  help: string,
  value: (account: CompatAccount) => SampleValue,
): SampledFamily<CompatAccount> {
  return gauge(name, help, [], (account, { emit }) => emit(value(account)));
}

export const upFamily = accountFamily(
  'pingdom_up',
  '1 when the last refresh of the check list worked, else 0.',
  ({ snapshot }) => snapshot.up,
);

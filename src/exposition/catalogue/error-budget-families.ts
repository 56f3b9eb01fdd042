import { checkStatuses } from '../../domain/check.ts';
import type { RatioByRange } from '../../slo/error-budget.ts';
import type { AlertLabels } from '../../slo/outages.ts';
import { errorRanges } from '../../slo/range-seconds.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import {
  type AccountFamily,
  type CheckFamily,
  type Emit,
  inWindows,
  lean,
  type RowFamily,
  type TransactionFamily,
} from './family.ts';
import { accountFamiliesOf, itemFamiliesOf } from './row-families.ts';

/** The fields of checks and transactions that the families read. */
type ErrorBudgetRow = Pick<CheckRow, 'budget' | 'outage' | 'lastOutageStartSeconds'>;

/** Alerts depend on these families, so stale samples stay, unchanged. */
const ofAlerts = { neverWithdrawn: true } as const;

const account = accountFamiliesOf('checks');

export const checkErrorBudgetFamilies: readonly CheckFamily[] = budgetFamilies('check');
export const transactionErrorBudgetFamilies: readonly TransactionFamily[] =
  budgetFamilies('transaction');

/** Families that also have samples of removed items, with the labels that these had last. */
export const outageFamilyNames: ReadonlySet<string> = new Set(
  ['check', 'transaction'].flatMap((kind) => [
    `uptime_${kind}_outage_open`,
    `uptime_${kind}_outage_start_timestamp_seconds`,
    `uptime_${kind}_flapping`,
  ]),
);

/** Families of the groups of checks that the configuration defines. */
export const groupFamilies: readonly AccountFamily[] = [
  account.values(
    'uptime_groups_left_out',
    'Groups of checks beyond groups.max_groups, which no other family has.',
    'groupsLeftOut',
    [],
    (names, emit) => emit(names.length),
  ),
  account.values(
    'uptime_group_checks',
    'Checks of the group by status.',
    'groups',
    ['group', 'status'],
    (groups, emit) => {
      for (const { name, statuses } of groups) {
        for (const status of checkStatuses) emit(statuses.get(status) ?? 0, name, status);
      }
    },
  ),
  ...[
    account.values(
      'uptime_group_outages_open',
      'Checks of the group with an open outage.',
      'groups',
      ['group'],
      (groups, emit) => {
        for (const { name, outagesOpen } of groups) emit(outagesOpen, name);
      },
    ),
    lean(
      inWindows('1d', '30d'),
      account.values(
        'uptime_group_error_ratio',
        'Share of the monitored time in the window that the checks of the group were down, excluding maintenance: of all checks together (mean), and of the check that was down most (worst).',
        'groups',
        ['group', 'window', 'of'],
        (groups, emit) => {
          for (const { name, budget, worst } of groups) {
            for (const range of errorRanges) {
              emit(budget.errorRatios[range], name, range, 'mean');
              emit(worst[range], name, range, 'worst');
            }
          }
        },
      ),
    ),
    lean(
      inWindows('3d', '30d'),
      account.values(
        'uptime_group_burn_rate',
        'Error budget burn rate of the group over the window; at 1 the budget lasts exactly 30 days.',
        'groups',
        ['group', 'window'],
        (groups, emit) => {
          for (const { name, budget } of groups) {
            for (const range of errorRanges) emit(budget.burnRates[range], name, range);
          }
        },
      ),
    ),
    account.values(
      'uptime_group_objective_ratio',
      'Objective of the group: target share of time up.',
      'groups',
      ['group'],
      (groups, emit) => {
        for (const { name, budget } of groups) emit(budget.objective.ratio, name);
      },
    ),
    account.values(
      'uptime_group_error_budget_remaining_ratio',
      "Share of the group's 30-day error budget that is left; negative when overspent.",
      'groups',
      ['group'],
      (groups, emit) => {
        for (const { name, budget } of groups) emit(budget.remainingRatio, name);
      },
    ),
  ].map((family) => ({ ...family, ...ofAlerts })),
];

function budgetFamilies(kind: 'check' | 'transaction'): readonly RowFamily<ErrorBudgetRow>[] {
  const list = itemFamiliesOf<ErrorBudgetRow>(`${kind}s`);
  const frozen =
    'The labels that only this family has keep the values from the beginning of the outage.';
  const alertLabels = kind === 'check' ? ['hostname', 'importance'] : ['importance'];
  const alertLabelsOf = ({ hostname, importance }: AlertLabels) =>
    kind === 'check' ? [hostname, importance] : [importance];
  const byRange = (ratios: RatioByRange, emit: Emit) => {
    for (const range of errorRanges) emit(ratios[range], range);
  };
  return [
    list.values(
      `uptime_${kind}_outage_open`,
      `1 from the confirmed failure of the ${kind} until it is known to be up, paused, in maintenance or removed; then 0 for 24 hours, otherwise absent. ${frozen}`,
      'outage',
      alertLabels,
      (outage, emit) => emit(outage.open, ...alertLabelsOf(outage)),
    ),
    list.values(
      `uptime_${kind}_flapping`,
      `1 from the third outage of the ${kind} within an hour until it has been up for 30 minutes (both are configurable), or is paused, in maintenance or removed; then 0 for 24 hours, otherwise absent. An outage that is interrupted by a pause or maintenance counts once. ${frozen}`,
      'outage',
      alertLabels,
      (outage, emit) => emit(outage.flapping, ...alertLabelsOf(outage)),
    ),
    list.values(
      `uptime_${kind}_outage_start_timestamp_seconds`,
      `UNIX time at which the open outage of the ${kind} began, according to the service.`,
      'outage',
      [],
      ({ open, sinceSeconds }, emit) => emit(open ? sinceSeconds : undefined),
    ),
    list.field(
      `uptime_${kind}_last_outage_start_timestamp_seconds`,
      `UNIX time at which the last ended outage of the ${kind} began; shown for 24 hours after its end. Outages before the ${kind} was first seen, and those in maintenance, do not count.`,
      'lastOutageStartSeconds',
    ),
    lean(
      inWindows('30d'),
      list.values(
        `uptime_${kind}_error_ratio`,
        `Share of the monitored time in the window that the ${kind} was down, excluding maintenance; windows below 30d only after downtime within 30 days.`,
        'budget',
        ['window'],
        ({ errorRatios }, emit) => byRange(errorRatios, emit),
      ),
    ),
    lean(
      inWindows('1h', '1d', '3d', '30d'),
      list.values(
        `uptime_${kind}_burn_rate`,
        `Error budget burn rate of the ${kind} over the window, 1 if the budget lasts exactly 30 days; only after downtime within 30 days.`,
        'budget',
        ['window'],
        ({ burnRates }, emit) => byRange(burnRates, emit),
      ),
    ),
    list.values(
      `uptime_${kind}_objective_ratio`,
      `Objective of the ${kind}: target share of time up.`,
      'budget',
      [],
      ({ objective }, emit) => emit(objective.ratio),
    ),
    list.values(
      `uptime_${kind}_error_budget_remaining_ratio`,
      `Share of the 30-day error budget of the ${kind} that is left; negative when overspent.`,
      'budget',
      [],
      ({ remainingRatio }, emit) => emit(remainingRatio),
    ),
  ].map((family) => ({ ...family, ...ofAlerts }));
}

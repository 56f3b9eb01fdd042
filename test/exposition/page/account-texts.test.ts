import { describe, expect, it } from 'vitest';
import { datasetNames } from '../../../src/domain/dataset.ts';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { isWithdrawn } from '../../../src/exposition/page/account-texts.ts';
import { freshPage, parsePage } from '../support/rendering.ts';
import { aSnapshot, everyDataset, fullSnapshot } from '../support/snapshots.ts';

const totals = [
  'uptime_alerts_sent',
  'uptime_check_state_seconds',
  'uptime_check_outages',
  'uptime_check_maintenance_seconds',
  'uptime_check_results',
  'uptime_check_response_time_seconds',
  'uptime_check_probe_results',
  'uptime_check_probe_response_time_seconds',
  'uptime_check_analyses',
  ...budgetsOf('check'),
  'uptime_transaction_state_seconds',
  'uptime_transaction_outages',
  ...budgetsOf('transaction'),
];

/** They stay the same while nothing new is known. */
function budgetsOf(kind: string): string[] {
  const outages = ['outage_open', 'flapping', 'outage_start_timestamp_seconds'];
  const names = [...outages, 'last_outage_start_timestamp_seconds', 'error_ratio', 'burn_rate'];
  const budgets = ['objective_ratio', 'error_budget_remaining_ratio'];
  return [...names, ...budgets].map((name) => `uptime_${kind}_${name}`);
}

describe('withdrawal', () => {
  it.each([
    ['gauge', { stale: true }, true],
    ['gauge', { stale: false }, false],
    ['gauge', undefined, true],
    ['counter', { stale: true }, false],
    ['histogram', undefined, false],
    ['summary', { stale: true }, false],
  ] as const)('of a %s whose dataset is %j: %s', (type, credits, expected) => {
    const { checks } = everyDataset();
    const datasets = credits === undefined ? { checks } : { checks, credits };

    expect(isWithdrawn({ type, dataset: 'credits' }, datasets)).toBe(expected);
  });

  it('keeps the totals, and what is true at any time, when everything is stale', async () => {
    const page = await freshPage(fullSnapshot({ datasets: everyDataset(true) }));

    expect(parsePage(page).map(({ name }) => name)).toEqual([
      'uptime_up',
      'uptime_account_info',
      'uptime_outages_open',
      'uptime_recent_outage_start_timestamp_seconds',
      'uptime_recent_outage_end_timestamp_seconds',
      'uptime_group_outages_open',
      'uptime_group_error_ratio',
      'uptime_group_burn_rate',
      'uptime_group_objective_ratio',
      'uptime_group_error_budget_remaining_ratio',
      ...totals,
    ]);
  });

  it.each(datasetNames)(
    'takes away the gauges of %s and no others when it is stale',
    async (name) => {
      const datasets = { ...everyDataset(), [name]: { stale: true } };
      const names = async (of: typeof datasets) =>
        parsePage(await freshPage(fullSnapshot({ datasets: of }))).map((family) => family.name);

      const [all, shown] = await Promise.all([names(everyDataset()), names(datasets)]);

      const gauges = catalogue
        .flatMap(({ families }) => families)
        .filter(
          ({ dataset, type, neverWithdrawn }) =>
            dataset === name && type === 'gauge' && neverWithdrawn !== true,
        );
      expect(all.filter((family) => !shown.includes(family))).toEqual(
        gauges.map((family) => family.name),
      );
    },
  );

  it('shows no gauges of a dataset that is not refreshed', async () => {
    const { credits, maintenance } = fullSnapshot();

    const page = await freshPage(
      aSnapshot({
        ...(credits && { credits }),
        ...(maintenance && { maintenance }),
        datasets: { checks: { stale: false } },
      }),
    );

    expect(parsePage(page).map(({ name }) => name)).toEqual(['uptime_up', 'uptime_account_info']);
  });
});

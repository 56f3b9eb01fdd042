import { type Board, outagesAndMaintenance } from './board.ts';
import { colours } from './colours.ts';
import { barsPanel, linesPanel, linkTo, statesPanel, statPanel, tablePanel } from './panel.ts';
import { item, ofAccount, stateNumber, tagged } from './selectors.ts';
import { badAbove, checkStates, left, plain, steps } from './states.ts';
import { reference, tagVariable } from './variables.ts';

const host = `* on (${item}) group_left (hostname, check_type) ${ofAccount('uptime_check_info')}`;
const toCheck = linkTo(
  'The check',
  'uptime-check',
  `var-check=${reference('__data.fields.check_id')}`,
);
const toCheckOfSeries = linkTo(
  'The check',
  'uptime-check',
  `var-check=${reference('__field.labels.check_id')}`,
);

function checksWith(status: string, title: string, description: string, thresholds = plain) {
  const isSo = ofAccount('uptime_check_status', `status="${status}"`);
  return statPanel({
    title,
    description,
    unit: 'none',
    width: 4,
    thresholds,
    queries: [{ expr: `sum(${tagged(isSo)})` }],
  });
}

export const overview: Board = {
  uid: 'uptime-overview',
  title: 'Overview',
  description: 'What is down and since when, how old the data are, what is left of the budgets.',
  variables: [tagVariable()],
  annotations: outagesAndMaintenance(ofAccount, 'check'),
  rows: {
    'What is down': [
      checksWith('down', 'Down', 'Checks that are down, confirmed by a second test.', badAbove(1)),
      checksWith(
        'unconfirmed_down',
        'Not confirmed',
        'Checks whose last test failed; the next test decides.',
        steps(colours.good, [1, colours.warning]),
      ),
      checksWith('unknown', 'Unknown', 'Checks of which the service does not know the state.'),
      checksWith('paused', 'Paused', 'Checks that are not tested.'),
      checksWith('up', 'Up', 'Checks that are up.'),
      statPanel({
        title: 'In maintenance',
        description: 'Checks in maintenance: their alerts are silent and the time does not count.',
        unit: 'none',
        width: 4,
        thresholds: steps(colours.good, [1, colours.maintenance]),
        queries: [{ expr: `sum(${tagged(ofAccount('uptime_check_in_maintenance'))})` }],
      }),
      tablePanel({
        title: 'Down now',
        description: 'Checks that are down, and for how long. Click on one for its details.',
        unit: 's',
        width: 12,
        height: 10,
        noValue: 'Nothing is down',
        links: [toCheck],
        columns: {
          name: 'Check',
          hostname: 'Host',
          check_type: 'Type',
          account: 'Account',
          check_id: 'check_id',
        },
        values: ['Down for'],
        queries: [
          {
            expr: `(${tagged(`time() - ${ofAccount('uptime_check_last_down_start_timestamp_seconds')}`)}
and on (${item}) (${ofAccount('uptime_check_status', 'status="down"')} == 1))
${host}`,
          },
        ],
      }),
      barsPanel({
        title: 'Worst error budgets',
        description:
          'What is left of the error budget of 30 days, the ten worst checks first. Below 0 the objective is missed.',
        unit: 'percentunit',
        width: 12,
        height: 10,
        max: 1,
        thresholds: left,
        links: [toCheckOfSeries],
        queries: [
          {
            expr: `bottomk(10, ${tagged(ofAccount('uptime_check_error_budget_remaining_ratio'))})`,
            legend: '{{name}}',
          },
        ],
      }),
    ],
    'All checks': [
      statesPanel({
        title: 'States',
        description: 'The state of every check over time. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 14,
        thresholds: plain,
        mappings: [checkStates],
        links: [toCheckOfSeries],
        queries: [{ expr: tagged(stateNumber(ofAccount)), legend: '{{name}}' }],
      }),
      linesPanel({
        title: 'Slowest checks',
        description: 'Response time of the last test, the ten slowest checks.',
        unit: 's',
        width: 24,
        min: 0,
        queries: [
          {
            expr: `topk(10, ${tagged(ofAccount('uptime_check_last_response_time_seconds'))})`,
            legend: '{{name}}',
          },
        ],
      }),
    ],
    'Data and budget': [
      statPanel({
        title: 'Age of the check list',
        description: 'Time since the check list was last refreshed, the oldest account.',
        unit: 's',
        width: 4,
        height: 8,
        thresholds: steps(colours.good, [180, colours.warning], [300, colours.bad]),
        queries: [
          {
            expr: `max(time() - ${ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds', 'dataset="checks"')})`,
          },
        ],
      }),
      linesPanel({
        title: 'Age by dataset',
        description: 'Time since the last refresh of each dataset.',
        unit: 's',
        width: 10,
        min: 0,
        queries: [
          {
            expr: `time() - ${ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds')}`,
            legend: '{{account}} {{dataset}}',
          },
        ],
      }),
      linesPanel({
        title: 'API requests left',
        description:
          'Share of the window that is left. The exporter stops at its reserve, 20 % by default.',
        unit: 'percentunit',
        width: 10,
        min: 0,
        max: 1,
        thresholds: steps(colours.bad, [0.2, colours.good]),
        links: [linkTo('The budget', 'uptime-exporter')],
        queries: [
          {
            expr: `${ofAccount('uptime_exporter_rate_limit_remaining')}
/ ${ofAccount('uptime_exporter_rate_limit_limit')}`,
            legend: '{{account}} {{window}}',
          },
        ],
      }),
    ],
  },
};

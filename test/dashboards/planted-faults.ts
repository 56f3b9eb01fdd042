import { type BoardJson, parsedBoard } from './opened-board.ts';
import { type PanelJson, panelSchema } from './panel-view.ts';

interface Fault {
  readonly what: string;
  readonly uid: string;
  /** Visible only when results have been read twice. */
  readonly takesLong?: true;
  readonly plant: (board: BoardJson) => BoardJson;
  /** The world in which the fault is visible; by default the one with a working exporter. */
  readonly world?: 'blind' | 'dead';
  /** The error that it causes. */
  readonly seen: RegExp;
}

/** Returns the board with one changed panel, which may be in a closed row. */
const inPanel =
  (title: string, change: (panel: PanelJson) => PanelJson) =>
  (board: BoardJson): BoardJson => {
    const changed = (panel: BoardJson['panels'][number]): BoardJson['panels'][number] => {
      if (panel.title === title && panel.type !== 'row') return change(panelSchema.parse(panel));
      return Array.isArray(panel.panels) ? { ...panel, panels: panel.panels.map(changed) } : panel;
    };
    return { ...board, panels: board.panels.map(changed) };
  };

const withQueries = (change: (expr: string) => string) => (panel: PanelJson) => ({
  ...panel,
  targets: panel.targets.map((target) => ({ ...target, expr: change(target.expr) })),
});

const withDefaults = (defaults: Readonly<Record<string, unknown>>) => (panel: PanelJson) => ({
  ...panel,
  fieldConfig: { ...panel.fieldConfig, defaults: { ...panel.fieldConfig.defaults, ...defaults } },
});

/** Errors that boards have had. */
export const faults: readonly Fault[] = [
  {
    what: 'a comparison with bool binds to the last operand',
    uid: 'uptime-slo',
    plant: inPanel(
      'Error budgets of 30 days',
      withQueries((expr) =>
        expr.replace(
          /sum\(\((.*?) and on \(account\) \(.*? == 1\)\) < bool 0\)/s,
          'sum($1 and on (account, check_id) $1 < bool 0)',
        ),
      ),
    ),
    seen: /Missed/,
  },
  {
    what: 'the colour mode "thresholds" hides the states of a strip',
    uid: 'uptime-check',
    plant: inPanel('States and outages', withDefaults({ color: { mode: 'thresholds' } })),
    seen: /strip at/,
  },
  {
    what: 'a default unit formats identifiers',
    uid: 'uptime-overview',
    plant: inPanel('All that is not up', withDefaults({ unit: 's' })),
    seen: /weeks/,
  },
  {
    what: 'a table is not sorted',
    uid: 'uptime-exporter',
    plant: inPanel('Datasets, the most overdue first', (panel) => ({ ...panel, options: {} })),
    seen: /order of the datasets/,
  },
  {
    what: 'a table is sorted by another column',
    uid: 'uptime-overview',
    plant: inPanel('All that is not up', (panel) => ({
      ...panel,
      options: { sortBy: [{ displayName: 'State', desc: false }] },
    })),
    seen: /order of what is down/,
  },
  {
    what: 'rows are not merged, because one of the queries keeps its name',
    uid: 'uptime-slo',
    plant: inPanel('Checks and transactions, the worst first', (panel) => ({
      ...panel,
      targets: panel.targets.map((target, at) =>
        at === 1 ? { ...target, expr: 'uptime_check_error_ratio{window="30d"}' } : target,
      ),
      transformations: [{ id: 'merge', options: {} }, ...panel.transformations.slice(1)],
    })),
    seen: /rows of Checks|availability/,
  },
  {
    what: 'a rate over less than the interval of the data',
    uid: 'uptime-check',
    takesLong: true,
    plant: inPanel(
      'Quantiles',
      withQueries((expr) => expr.replaceAll(/\[[^\]]*\]/g, '[30s]').replaceAll(' >= 0', '')),
    ),
    seen: /Quantiles/,
  },
  {
    what: 'a value of one decimal cannot tell 99.9 from 99.95',
    uid: 'uptime-check',
    plant: (board) =>
      parsedBoard(
        JSON.stringify(board).replaceAll('"id":"decimals","value":3', '"id":"decimals","value":1'),
      ),
    seen: /Objective/,
  },
  {
    what: 'a text in place of a value looks like a value',
    uid: 'uptime-overview',
    world: 'dead',
    plant: inPanel(
      'Checks and transactions by state',
      withDefaults({ noValue: '0', mappings: [] }),
    ),
    seen: /by state: /,
  },
  {
    what: 'a link loses the account',
    uid: 'uptime-overview',
    plant: (board) => parsedBoard(JSON.stringify(board).replaceAll(/&var-account=[^&]*/g, '')),
    seen: /account of the link/,
  },
  {
    what: 'seconds are shown as milliseconds',
    uid: 'uptime-exporter',
    plant: inPanel(
      'Maintenance windows',
      withQueries((expr) => expr.replaceAll('1000 * ', '')),
    ),
    seen: /Maintenance windows/,
  },
  {
    what: 'the text for no data stands in single cells',
    uid: 'uptime-slo',
    plant: (board) =>
      parsedBoard(JSON.stringify(board).replaceAll('"value":"–"', '"value":"No checks"')),
    seen: /Burn [13] [hd]: No/,
  },
  {
    what: 'the least urgent alert comes first',
    uid: 'uptime-overview',
    plant: inPanel('Firing alerts', (panel) => ({
      ...panel,
      options: { sortBy: [{ displayName: 'Severity', desc: false }] },
    })),
    seen: /Firing alerts: \[\["UptimeContactsPaused/,
  },
  {
    what: 'alerts without an account, such as that the exporter is gone, are left out',
    uid: 'uptime-overview',
    plant: inPanel(
      'Firing alerts',
      withQueries((expr) => expr.replaceAll('account=~"$account|"', 'account=~"$account"')),
    ),
    seen: /Firing alerts: /,
  },
  {
    what: 'requests left are a share of the reserve',
    uid: 'uptime-exporter',
    plant: inPanel(
      'API requests left',
      withQueries((expr) => expr.replaceAll('rate_limit_limit', 'rate_limit_reserve')),
    ),
    seen: /share left of the/,
  },
  {
    what: 'a step is counted from 0',
    uid: 'uptime-check',
    plant: inPanel(
      'Now',
      withQueries((expr) => (expr.includes('failing_step') ? `(${expr}) - 1` : expr)),
    ),
    seen: /Failing step/,
  },
  {
    what: 'what is down in maintenance is just down',
    uid: 'uptime-overview',
    plant: inPanel(
      'All that is not up',
      withQueries((expr) => expr.replaceAll('in_maintenance', 'paused')),
    ),
    seen: /All that is not up/,
  },
  {
    what: 'outages are drawn when they became known',
    uid: 'uptime-overview',
    plant: inPanel(
      'Outages in this time',
      withQueries((expr) => expr.replaceAll(/ <= time\(\) - /g, ' <= time() - 900 - ')),
    ),
    seen: /is drawn as down|goes on is not drawn/,
  },
  {
    what: 'a table of outages lacks those that go on',
    uid: 'uptime-overview',
    plant: inPanel(
      'Last outages',
      withQueries((expr) => expr.replaceAll('recent_outage_start', 'recent_outage_end')),
    ),
    seen: /Last outages, /,
  },
  {
    what: 'a day without an outage is a hole in the calendar',
    uid: 'uptime-slo',
    takesLong: true,
    plant: inPanel(
      'Availability of each day',
      withQueries((expr) => (expr.includes('error_ratio') ? `(${expr}) < 1` : expr)),
    ),
    seen: /has a hole on/,
  },
  {
    what: 'alerts that were sent are not counted',
    uid: 'uptime-exporter',
    takesLong: true,
    plant: inPanel(
      'Alerts sent in this time',
      withQueries((expr) => expr.replaceAll('[$__range]', '[1m]')),
    ),
    seen: /Alerts sent, .*, not [1-9]/,
  },
  {
    what: 'a legend names what is no state',
    uid: 'uptime-check',
    plant: inPanel('States and outages', withDefaults({ noValue: 'not down' })),
    seen: /legend of States and outages/,
  },
  {
    what: 'nothing is down, though the account cannot be read',
    uid: 'uptime-overview',
    world: 'blind',
    plant: inPanel(
      'Checks and transactions by state',
      withQueries((expr) => `${expr} or vector(0)`),
    ),
    seen: /is 0/,
  },
  {
    what: 'all checks with a budget are not up, though the account cannot be read',
    uid: 'uptime-overview',
    world: 'blind',
    plant: inPanel(
      'All that is not up',
      withQueries((expr) => expr.replaceAll(/ and on \(account, check_id\) .*? == 1\)/gs, '')),
    ),
    seen: /All that is not up names/,
  },
  {
    what: 'nothing is down, though the exporter does not answer',
    uid: 'uptime-overview',
    world: 'dead',
    plant: inPanel('All that is not up', withDefaults({ noValue: 'No check is down' })),
    seen: /All that is not up: No check is down/,
  },
  {
    what: 'a strip without data has a text of Grafana',
    uid: 'uptime-overview',
    world: 'dead',
    plant: inPanel('Outages in this time', (panel) => ({
      ...panel,
      targets: panel.targets.slice(1),
    })),
    seen: /Outages in this time: undefined/,
  },
  {
    what: 'no one says that the exporter is dead',
    uid: 'uptime-exporter',
    world: 'dead',
    plant: inPanel(
      'Can this be believed?',
      withQueries((expr) => (expr.includes('last_over_time') ? 'vector(1)' : expr)),
    ),
    seen: /Can this be believed/,
  },
  {
    what: 'maintenance that nobody can know of is not planned',
    uid: 'uptime-exporter',
    world: 'dead',
    plant: inPanel('Maintenance windows', (panel) => ({
      ...withDefaults({ noValue: 'No maintenance is planned' })(panel),
      targets: panel.targets.slice(1),
    })),
    seen: /Maintenance windows: No maintenance/,
  },
];

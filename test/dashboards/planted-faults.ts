import { type BoardJson, parsedBoard } from './opened-board.ts';
import { type PanelJson, panelSchema } from './panel-view.ts';

interface Fault {
  readonly what: string;
  readonly uid: string;
  /** Seen only when results have been read twice. */
  readonly takesLong?: true;
  readonly plant: (board: BoardJson) => BoardJson;
  /** The problem that it makes. */
  readonly seen: RegExp;
}

/** The board with one panel changed. */
const inPanel =
  (title: string, change: (panel: PanelJson) => PanelJson) =>
  (board: BoardJson): BoardJson => ({
    ...board,
    panels: board.panels.map((panel) =>
      panel.title === title ? change(panelSchema.parse(panel)) : panel,
    ),
  });

const withQueries = (change: (expr: string) => string) => (panel: PanelJson) => ({
  ...panel,
  targets: panel.targets.map((target) => ({ ...target, expr: change(target.expr) })),
});

const withDefaults = (defaults: Readonly<Record<string, unknown>>) => (panel: PanelJson) => ({
  ...panel,
  fieldConfig: { ...panel.fieldConfig, defaults: { ...panel.fieldConfig.defaults, ...defaults } },
});

/** What boards have shown that was not so. */
export const faults: readonly Fault[] = [
  {
    what: 'a comparison with bool binds to the last operand',
    uid: 'uptime-slo',
    plant: inPanel(
      'Objectives missed',
      withQueries((expr) => {
        const ratio = /\((max by .*\))\) < bool 0/s.exec(expr)?.[1] ?? '';
        return `sum(${ratio} and on (account, check_id) ${ratio} < bool 0)`;
      }),
    ),
    seen: /Objectives missed/,
  },
  {
    what: 'the colour mode "thresholds" hides the states of a strip',
    uid: 'uptime-check',
    plant: inPanel('State over time', withDefaults({ color: { mode: 'thresholds' } })),
    seen: /strip at/,
  },
  {
    what: 'a default unit formats identifiers',
    uid: 'uptime-overview',
    plant: inPanel('Checks down', withDefaults({ unit: 's' })),
    seen: /weeks/,
  },
  {
    what: 'a table is not sorted',
    uid: 'uptime-exporter',
    plant: inPanel('Datasets, the latest first', (panel) => ({ ...panel, options: {} })),
    seen: /order of the datasets/,
  },
  {
    what: 'a table is sorted by another column',
    uid: 'uptime-overview',
    plant: inPanel('Checks down', (panel) => ({
      ...panel,
      options: { sortBy: [{ displayName: 'Down for', desc: false }] },
    })),
    seen: /Checks down: /,
  },
  {
    what: 'rows are not merged, because one of the queries keeps its name',
    uid: 'uptime-slo',
    plant: inPanel('Checks, the worst first', (panel) => ({
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
    plant: inPanel('Objective', withDefaults({ decimals: 1 })),
    seen: /Objective/,
  },
  {
    what: 'a text in place of a value looks like a value',
    uid: 'uptime-check',
    plant: inPanel('Down for', withDefaults({ mappings: [], noValue: 'not down' })),
    seen: /colour of Down for/,
  },
  {
    what: 'a link loses the account',
    uid: 'uptime-overview',
    plant: (board) => parsedBoard(JSON.stringify(board).replaceAll(/&var-account=[^&]*/g, '')),
    seen: /account of the link/,
  },
  {
    what: 'seconds are shown as milliseconds',
    uid: 'uptime-account',
    plant: inPanel(
      'Maintenance windows',
      withQueries((expr) => expr.replace('1000 * ', '')),
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
    what: 'the text for no data stands for a label that an alert has not',
    uid: 'uptime-overview',
    plant: (board) =>
      parsedBoard(
        JSON.stringify(board).replaceAll(
          '{"id":"noValue","value":"–"}',
          '{"id":"unit","value":"string"}',
        ),
      ),
    seen: /Firing alerts: .*No alert fires/,
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
    what: 'requests left are a share of the reserve',
    uid: 'uptime-overview',
    plant: inPanel(
      'API requests left',
      withQueries((expr) => expr.replace('rate_limit_limit', 'rate_limit_reserve')),
    ),
    seen: /share left of the/,
  },
  {
    what: 'a step is counted from 0',
    uid: 'uptime-transactions',
    plant: inPanel(
      'Failing step',
      withQueries((expr) => `${expr} - 1`),
    ),
    seen: /Failing step/,
  },
  {
    what: 'checks in use without those that are paused',
    uid: 'uptime-account',
    plant: inPanel(
      'Checks in use',
      withQueries((expr) => `${expr} - 3`),
    ),
    seen: /checks in use/,
  },
];

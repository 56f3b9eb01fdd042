import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  VariableHide,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { ofAccount, reference } from './selectors.ts';

export const datasource = { type: 'prometheus', uid: reference('datasource') };

function query(name: string, label: string, expression: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query({ query: expression, refId: name })
    .definition(expression)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalCaseInsensitiveAsc);
}

function several(builder: QueryVariableBuilder, allValue: string): QueryVariableBuilder {
  return builder
    .multi(true)
    .includeAll(true)
    .allValue(allValue)
    .current({ text: 'All', value: '$__all' });
}

/**
 * Roots of links, hidden because they are set once: the pages of the exporter, and the runbook of
 * the alerts.
 */
export const rootVariables = () => [
  root('exporter', "Exporter's pages", 'http://localhost:9158'),
  root('runbook', 'Runbook', 'https://example.com/uptime-exporter/docs/runbook.md'),
];

const root = (name: string, label: string, address: string) =>
  new TextBoxVariableBuilder(name)
    .label(label)
    .defaultValue(address)
    .hide(VariableHide.HideVariable);

/** The ones that every dashboard has. */
export function commonVariables(): Builder<VariableModel>[] {
  const up = 'uptime_exporter_build_info';
  return [
    new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    several(query('job', 'Job', `label_values(${up}, job)`), '.+'),
    several(query('instance', 'Instance', `label_values(${up}{job=~"$job"}, instance)`), '.+'),
    several(
      query(
        'account',
        'Account',
        'label_values(uptime_up{job=~"$job", instance=~"$instance"}, account)',
      ),
      '.+',
    ),
  ];
}

/**
 * Shows the name and stands for the identifier, which alone tells two checks of one name apart.
 * Grafana writes the labels in the order of the alphabet, and their values as they are, quotes and
 * all.
 */
export const nameAndId = '/[{,]check_id="(?<value>[^"]+)",[^]*?,name="(?<text>[^]*?)",\\w+="/';

export function checkVariable(): Builder<VariableModel> {
  const [check, transaction] = ['check', 'transaction'].map((kind) =>
    ofAccount(`uptime_${kind}_info`),
  );
  return query('check', 'Check', `query_result(${check} or ${transaction})`).regex(nameAndId);
}

/**
 * A span of time in whole seconds that a query works out, hidden, to stand in the brackets of a
 * range: the number of the result, which Grafana writes as `{labels} value time`.
 */
export function spanVariable(name: string, expression: string): Builder<VariableModel> {
  const seconds = `ceil(${expression}) or vector(3600)`;
  return query(name, name, `query_result(${seconds})`)
    .regex('/ (\\d+) \\d+$/')
    .hide(VariableHide.HideVariable);
}

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

/** The root of the exporter's pages. It is hidden, because it is set once. */
export const rootVariable = () =>
  new TextBoxVariableBuilder('exporter')
    .label("Exporter's pages")
    .defaultValue('http://localhost:9158')
    .hide(VariableHide.HideVariable);

/** The variables of every dashboard. */
export function commonVariables(): Builder<VariableModel>[] {
  return [
    new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    several(query('job', 'Job', 'label_values(uptime_exporter_build_info, job)'), '.+'),
    several(query('instance', 'Instance', 'label_values(uptime_up{job=~"$job"}, instance)'), '.+'),
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
 * Extracts the name, which is shown, and the identifier, which is used, because two checks may have
 * the same name. Grafana writes the labels in alphabetical order, with unescaped values.
 */
export const nameAndId =
  '/[{,]check_id="(?<value>[^"]+)",[^]*?,name="(?<text>[^]*?)"(?:,\\w+="|\\} \\d+ \\d+$)/';

/** Checks and transactions of a day, because those of an account that is not read are withdrawn. */
const items = (more = '') =>
  ['check', 'transaction']
    .map((kind) => {
      const info = ofAccount(`uptime_${kind}_info`, more);
      return `(${info} or last_over_time(${info}[1d]) unless on (account, check_id) ${info})`;
    })
    .join(' or ');

export const checkVariable = (): Builder<VariableModel> =>
  query('check', 'Check', `query_result(${items()})`).regex(nameAndId);

/**
 * The account of the chosen check, hidden because it follows from the check. Grafana escapes an
 * apostrophe rightly only for a variable that allows several values, as a regular expression.
 */
export const ownerVariable = (): Builder<VariableModel> =>
  query('owner', 'Its account', `query_result(max by (account) (${items('check_id=~"$check"')}))`)
    .multi(true)
    .regex('/account="(.+)"\\}/')
    .hide(VariableHide.HideVariable);

/**
 * A hidden variable with a duration in whole seconds that a query computes, for use in the brackets
 * of a range selector. Grafana writes the result as `{labels} value time`.
 */
export function spanVariable(name: string, expression: string): Builder<VariableModel> {
  const seconds = `ceil(${expression}) or vector(3600)`;
  return query(name, name, `query_result(${seconds})`)
    .regex('/ (\\d+) \\d+$/')
    .hide(VariableHide.HideVariable);
}

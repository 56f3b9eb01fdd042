/** How Grafana is told to put in the value of a variable. */
export const reference = (name: string) => `\${${name}}`;

/** Labels that identify a check or transaction, whichever exporter told of it. */
export const item = 'account, check_id';

const chosen = 'job=~"$job", instance=~"$instance"';

function selector(name: string, matchers: readonly string[]): string {
  return `${name}{${matchers.filter((matcher) => matcher !== '').join(', ')}}`;
}

/** Of the chosen exporters. */
export const ofExporter = (name: string, more = '') => selector(name, [chosen, more]);

/** Of the chosen accounts. */
export const ofAccount = (name: string, more = '') =>
  selector(name, [chosen, 'account=~"$account"', more]);

/** Of the chosen check or transaction. */
export const ofCheck = (name: string, more = '') =>
  selector(name, [chosen, 'account=~"$account"', 'check_id=~"$check"', more]);

/**
 * The value of each check or transaction once, whichever exporter or replica serves it, without the
 * labels of scraping; `labels` are kept besides those that identify it.
 */
export function each(expression: string, ...labels: string[]): string {
  return `max by (${[item, 'name', ...labels].join(', ')}) (${expression})`;
}

/** The value of each account once. */
export function eachAccount(expression: string, ...labels: string[]): string {
  return `max by (${['account', ...labels].join(', ')}) (${expression})`;
}

/**
 * With the kind of the items as a label, by which links and tables tell checks and transactions
 * apart.
 */
export const withKind = (kind: string, expression: string) =>
  `label_replace(${expression}, "kind", "${kind}", "", "")`;

/**
 * A selector as it was at the end of the chosen time, at every point of a graph: the end() of
 * PromQL lies up to a step before, which is hours over a month.
 */
export const atEnd = (selected: string) => `${selected} @ ${reference('__to:date:seconds')}`;

/** Adds up; absent, not 0, where there are no data. */
export const total = (expression: string) => `sum(${expression})`;

/**
 * The greatest value since the step before, so that an outage that is shorter than a step of the
 * graph, half an hour over a month, is drawn all the same. Where no sample lies within a step, the
 * last one.
 */
export const ofStep = (series: string) => `(max_over_time(${series}[$__interval]) or ${series})`;

/**
 * For the names beside a graph, of which a long one takes half the room and one with line breaks
 * covers its neighbours: the first line, at most 32 characters. Rows of tables cut by themselves.
 */
export const shortName = (expression: string) =>
  `label_replace(label_replace(${expression}, "name", "$1 …", "name", "(.*?)\\\\n(?s:.*)"), "name", "$1…", "name", "(.{31}).{2,}")`;

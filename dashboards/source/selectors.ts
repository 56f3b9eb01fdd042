/** The notation that Grafana replaces with the value of a variable. */
export const reference = (name: string) => `\${${name}}`;

/** Labels that identify a check or transaction, regardless of its exporter. */
export const item = 'account, check_id';

/**
 * Monitors of the chart, and of replicas, give a fixed `instance` to the families of checks and
 * accounts, but not to these, so a chosen instance cannot select them.
 */
const keepsInstance = /^(uptime_exporter|process)_/;

function selector(name: string, matchers: readonly string[]): string {
  const chosen = ['job=~"$job"', ...(keepsInstance.test(name) ? [] : ['instance=~"$instance"'])];
  return `${name}{${[...chosen, ...matchers].filter((matcher) => matcher !== '').join(', ')}}`;
}

/** Selects series of the exporters of the chosen jobs. */
export const ofExporter = (name: string, more = '') => selector(name, [more]);

/** Selects series of the chosen accounts. */
export const ofAccount = (name: string, more = '') => selector(name, ['account=~"$account"', more]);

/** Selects series by their name, and by matchers that a board applies to all its panels. */
export type Of = (name: string, more?: string) => string;

/**
 * Selects series of the account of the chosen check or transaction, whatever other accounts are
 * chosen.
 */
export const ofOwner: Of = (name, more = '') => selector(name, ['account=~"$owner"', more]);

/** Selects series of the chosen check or transaction. */
export const ofCheck: Of = (name, more = '') =>
  selector(name, ['account=~"$owner"', 'check_id=~"$check"', more]);

/**
 * The value of each check or transaction once, regardless of its exporter, without the labels of
 * scraping. `labels` are kept in addition to the identifying ones.
 */
export function each(expression: string, ...labels: string[]): string {
  return `max by (${[item, 'name', ...labels].join(', ')}) (${expression})`;
}

/** The value of each account once. */
export function eachAccount(expression: string, ...labels: string[]): string {
  return `max by (${['account', ...labels].join(', ')}) (${expression})`;
}

/**
 * Adds the kind of the items as a label, by which links and tables distinguish checks and
 * transactions.
 */
export const withKind = (kind: string, expression: string) =>
  `label_replace(${expression}, "kind", "${kind}", "", "")`;

/**
 * Evaluates a selector at the end of the time range, for every point of a graph. PromQL's end() is
 * up to a step earlier, which is hours over a month.
 */
export const atEnd = (selected: string) => `${selected} @ ${reference('__to:date:seconds')}`;

/**
 * The greatest value since the previous step, or the last one if the step has no sample. So an
 * outage that is shorter than a step (half an hour over a month) is drawn.
 */
export const ofStep = (series: string) => `(max_over_time(${series}[$__interval]) or ${series})`;

/**
 * Shortens a name in a legend to its first line and 32 characters. A long name would take half the
 * graph, and line breaks would cover other names. Table cells are cut by Grafana.
 */
export const shortName = (expression: string) =>
  `label_replace(label_replace(${expression}, "name", "$1 …", "name", "(.*?)\\\\n(?s:.*)"), "name", "$1…", "name", "(.{31}).{2,}")`;

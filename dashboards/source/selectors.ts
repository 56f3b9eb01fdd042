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

/** Adds up; absent, not 0, where there are no data. */
export const total = (expression: string) => `sum(${expression})`;

/** The five states of a check as the numbers of `checkStates`. */
export function stateNumber(of: (name: string, more?: string) => string): string {
  return ['up', 'unconfirmed_down', 'down', 'unknown', 'paused']
    .map((status, at) => `${at + 1} * ${each(of('uptime_check_status', `status="${status}"`))}`)
    .join('\n+ ');
}

/**
 * For the names beside a graph, of which a long one takes half the room and one with line breaks covers its
 * neighbours: the first line, at most 40 characters. Rows of tables cut by themselves.
 */
export const shortName = (expression: string) =>
  `label_replace(label_replace(${expression}, "name", "$1 …", "name", "(.*?)\\\\n(?s:.*)"), "name", "$1…", "name", "(.{39}).{2,}")`;

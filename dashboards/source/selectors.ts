/** Labels that identify a check or transaction. */
export const item = 'job, instance, account, check_id';

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

/** Keeps the checks with a chosen tag; with all tags chosen, those without any too. */
export function tagged(expression: string): string {
  const anyInfo = ofAccount('', '__name__=~"uptime_check_info|uptime_check_tag_info", tag=~"$tag"');
  return `(${expression}) and on (${item}) ${anyInfo}`;
}

/** The five states of a check as the numbers of `checkStates`. */
export function stateNumber(of: (name: string, more?: string) => string): string {
  return ['up', 'unconfirmed_down', 'down', 'unknown', 'paused']
    .map(
      (status, at) =>
        `${at + 1} * sum without (status) (${of('uptime_check_status', `status="${status}"`)})`,
    )
    .join('\n+ ');
}

import { atEnd, each, type Of, ofAccount, withKind } from './selectors.ts';

export type Kind = 'check' | 'transaction';
export const kinds: readonly Kind[] = ['check', 'transaction'];

/** Joins both kinds of items in one vector. The label `kind` distinguishes them. */
export const ofKinds = (expression: (kind: Kind) => string): string =>
  kinds.map((kind) => withKind(kind, expression(kind))).join('\nor ');

/** The labels that identify a row of a table with both kinds. */
export const kindAndItem = 'kind, account, check_id';

const statusUp = { check: 'up', transaction: 'successful' } as const;
const active = ofAccount('uptime_transaction_active');

/**
 * All items with the label `status`; those that are up only if `withUp`. The value is 0, which the
 * first column of durations shows as none if no other query has series.
 */
export const statuses = (withUp: boolean): string =>
  ofKinds((kind) => {
    const status = ofAccount(`uptime_${kind}_status`, withUp ? '' : `status!="${statusUp[kind]}"`);
    if (kind === 'check') return each(`0 * (${status} == 1)`, 'status');
    return each(
      `0 * (${status} == 1 unless on (account, check_id) ${active} == 0) or 0 * label_replace(${active} == 0, "status", "paused", "", "")`,
      'status',
    );
  });

/** Removes items that are up, and those whose status is not known. One that is not active is not up. */
export function ofNotUp(kind: Kind, expression: string): string {
  const notUp = `${ofAccount(`uptime_${kind}_status`, `status!="${statusUp[kind]}"`)} == 1`;
  const stopped = kind === 'transaction' ? ` or ${active} == 0` : '';
  return `${expression} and on (account, check_id) (${notUp}${stopped})`;
}

/** The status of a kind of items as a number of `itemStates`, in which the worst is the largest. */
export function stateOf(kind: Kind, of: Of): string {
  const status = (name: string) => of(`uptime_${kind}_status`, `status="${name}"`);
  const numbers =
    kind === 'check'
      ? [
          `7 * ${status('down')}`,
          `6 * ${status('unconfirmed_down')}`,
          `5 * ${status('unknown')}`,
          `2 * ${status('paused')}`,
          status('up'),
        ]
      : [
          // The status of one that is not active may be unknown.
          `2 * (${of('uptime_transaction_active')} == 0) + 2`,
          `ignoring (status) 5 * ${status('unknown')}`,
          `7 - 6 * ${of('uptime_transaction_up')}`,
        ];
  return `max(${numbers.join('\n  or ')}) > 0`;
}

const edge = (of: Of, name: 'start' | 'end', more?: string) =>
  of(`uptime_recent_outage_${name}_timestamp_seconds`, more);
const ofOutage = 'kind, account, check_id, name';
const outageLabels = 'outage, beginning, ending, maintenance, cause';

/** The start of each recent outage. */
export const outagesBegan = (of: Of = ofAccount) =>
  `1000 * max by (${ofOutage}, ${outageLabels}) (${edge(of, 'start')})`;

export function outagesLasted(of: Of = ofAccount): string {
  const [start, end] = [edge(of, 'start'), edge(of, 'end')];
  return `max by (${ofOutage}, ${outageLabels}) ((${end} - ${start}) or (time() - ${start}))`;
}

/**
 * 1 for an outage that has ended, 2 for an ongoing one, 3 for one that has ended at a time that is
 * not read yet.
 */
export function outagesGoOn(of: Of = ofAccount): string {
  return `max by (${ofOutage}, ${outageLabels}) (0 * ${edge(of, 'end', 'ending="exact"')} + 1 or 0 * ${edge(of, 'end')} + 3 or 0 * ${edge(of, 'start')} + 2)`;
}

/**
 * Items that were down, as numbers of `outageStates`, at the true times of their outages: also
 * outages that became known later, were in maintenance, or are shorter than a step.
 */
export function outagesOverTime(of: Of): string {
  const began = (more: string) => `0 * (${atEnd(edge(of, 'start', more))} <= time())`;
  return `max by (${ofOutage}) (
  (${began('maintenance!="whole"')} + 1 or ${began('maintenance="whole"')} + 2)
  unless ${atEnd(edge(of, 'end'))} <= time() - $__interval_ms / 1000
)`;
}

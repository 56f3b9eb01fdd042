import { atEnd, each, ofAccount, ofStep, withKind } from './selectors.ts';

type Of = (name: string, more?: string) => string;
export type Kind = 'check' | 'transaction';
export const kinds: readonly Kind[] = ['check', 'transaction'];

/** Joins both kinds of items in one vector. The label `kind` distinguishes them. */
export const ofKinds = (expression: (kind: Kind) => string): string =>
  kinds.map((kind) => withKind(kind, expression(kind))).join('\nor ');

/** The labels that identify a row of a table with both kinds. */
export const kindAndItem = 'kind, account, check_id';

/** An expression for each state, which selects the items in that state. */
function inStates(kind: Kind, of: Of) {
  const status = (name: string) => each(`${of(`uptime_${kind}_status`, `status="${name}"`)} == 1`);
  const maintained = each(`${of(`uptime_${kind}_in_maintenance`)} == 1`);
  if (kind === 'check') {
    return {
      ...{ maintained, down: status('down'), unconfirmed: status('unconfirmed_down') },
      ...{ unknown: status('unknown'), paused: status('paused'), up: status('up') },
    };
  }
  return {
    ...{ maintained, down: each(`${of('uptime_transaction_up')} == 0`) },
    unconfirmed: undefined,
    unknown: status('unknown'),
    paused: each(`${of('uptime_transaction_active')} == 0`),
    up: each(`${of('uptime_transaction_up')} == 1`),
  };
}

/**
 * Items that are down, unconfirmed, unknown, paused or in maintenance, as numbers of `itemStates`.
 */
function notUpOfKind(kind: Kind, of: Of): string {
  const { maintained, down, unconfirmed, unknown, paused } = inStates(kind, of);
  return [
    `4 * (${maintained} and on (account, check_id) ${down})`,
    `3 * ${maintained}`,
    `0 * ${down} + 7`,
    ...(unconfirmed === undefined ? [] : [`6 * ${unconfirmed}`]),
    `0 * ${paused} + 2`,
    `5 * ${unknown}`,
  ].join('\n  or ');
}

export const notUp = (of: Of = ofAccount): string => ofKinds((kind) => notUpOfKind(kind, of));

/** All items, as numbers of `itemStates`. */
export const stateOf = (of: Of = ofAccount): string =>
  ofKinds((kind) => `${notUpOfKind(kind, of)}\n  or ${inStates(kind, of).up}`);

/** The worst state of each item since the previous step, ignoring maintenance. */
export function worstState(of: Of): string {
  const status = (kind: Kind, name: string) =>
    ofStep(of(`uptime_${kind}_status`, `status="${name}"`));
  const active = of('uptime_transaction_active');
  const up = of('uptime_transaction_up');
  const numbers = [
    `7 * ${status('check', 'down')}`,
    `6 * ${status('check', 'unconfirmed_down')}`,
    `5 * ${status('check', 'unknown')}`,
    `2 * ${status('check', 'paused')}`,
    status('check', 'up'),
    `5 * ${status('transaction', 'unknown')}`,
    // Series of a status differ in that label, so all of them remain, and `each` takes the worst.
    // The labels of these two are equal, so only the first remains, which is the worse one.
    `(7 - 6 * (min_over_time(${up}[$__interval]) or ${up}))`,
    `2 * (1 - ${active})`,
  ];
  return each(numbers.join('\n  or '));
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

/** The end of the last ended outage of each item of a kind. */
export const lastOutageEnd = (kind: Kind) =>
  `max by (${ofOutage}) (${edge(ofAccount, 'end', `kind="${kind}"`)})`;

/**
 * Items that were down, as numbers of `outageStates`, at the true times of their outages: also
 * outages that became known later, were in maintenance, or are shorter than a step. If no exporter
 * responds at the end of the time range, outages are shown as they were seen.
 */
export function outagesOverTime(of: Of): string {
  const during = (more: string, number: number) =>
    `(0 * (${atEnd(edge(of, 'start', more))} <= time()) + ${number}
    unless ${atEnd(edge(of, 'end', more))} <= time() - $__interval_ms / 1000)`;
  const seen = ofKinds((kind) => `${each(ofStep(of(`uptime_${kind}_outage_open`)))} == 1`);
  return `max by (${ofOutage}) (
  ${during('maintenance!="whole"', 1)}
  or ${during('maintenance="whole"', 2)}
)
or (${seen}) unless on () max(${atEnd(ofAccount('uptime_up'))})`;
}

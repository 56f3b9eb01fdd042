import type { Fired, Input, RuleCase } from './promtool-rules.ts';

/** The effect of an alert on the series that this case adds for it. */
export interface AlertCase {
  readonly alert: string;
  readonly when: string;
  readonly input: Input;
  /** The condition is true, but not for long enough; absent for an alert that does not wait. */
  readonly notYet?: string;
  readonly firing: string;
  readonly fired: Fired;
  readonly resolved: string;
}

export interface QuietCase {
  readonly alert: string;
  readonly when: string;
  readonly input: Input;
  readonly at: readonly string[];
}

export function ruleCase(one: AlertCase | QuietCase): RuleCase {
  const { alert, when, input } = one;
  const times =
    'at' in one
      ? Object.fromEntries(one.at.map((time) => [time, []]))
      : {
          ...(one.notYet !== undefined && { [one.notYet]: [] }),
          [one.firing]: [one.fired],
          [one.resolved]: [],
        };
  const does = 'at' in one ? 'does not fire' : 'fires in time and resolves';
  return { name: `${alert} ${does} when ${when}`, input, alerts: { [alert]: times } };
}

export const target = { job: 'uptime', instance: 'exporter:9158' };
export const ofAccount = { ...target, account: 'shop' };
export const ofCheck = { ...ofAccount, check_id: '7', name: 'Front page' };
/** Further labels of the families that alerts read. They do not change while an outage is open. */
export const high = { hostname: 'www.example.com', importance: 'high' };
export const low = { hostname: 'www.example.com', importance: 'low' };

/** A series of the account's check 7, or of another check or scope with the given labels. */
export function series(
  name: string,
  labels: Readonly<Record<string, string>> = {},
  common: Readonly<Record<string, string>> = ofCheck,
): string {
  const pairs = Object.entries({ ...common, ...labels }).map(
    ([label, value]) => `${label}="${value}"`,
  );
  return `${name}{${pairs.join(',')}}`;
}

export const perAccount = (name: string, labels: Record<string, string> = {}) =>
  series(name, labels, ofAccount);
export const perTarget = (name: string, labels: Record<string, string> = {}) =>
  series(name, labels, target);

/** An account that can be read, with the series that show it. */
export const readable = {
  [perAccount('uptime_up')]: '1x1000',
  [perAccount('uptime_outages_open', { kind: 'check' })]: '1x1000',
  [perAccount('uptime_outages_open', { kind: 'transaction' })]: '1x1000',
};

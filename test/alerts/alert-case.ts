import type { Expected, Fired, Input } from './promtool-rules.ts';

/** What an alert does to series that are there for its sake. */
export interface AlertCase {
  readonly alert: string;
  readonly when: string;
  readonly input: Input;
  /** The condition holds, but not for long enough; none for an alert that does not wait. */
  readonly notYet?: string;
  readonly firing: string;
  readonly fired: Fired;
  readonly resolved: string;
}

/** What fires at several times, in order; nothing at the first and the last. */
export interface Timeline {
  readonly alert: string;
  readonly when: string;
  readonly input: Input;
  readonly expected: Expected;
}

export function timeline({ alert, when, input, ...times }: AlertCase): Timeline {
  const expected = {
    ...(times.notYet !== undefined && { [times.notYet]: [] }),
    [times.firing]: [times.fired],
    [times.resolved]: [],
  };
  return { alert, when, input, expected };
}

export interface QuietCase {
  readonly alert: string;
  readonly when: string;
  readonly input: Input;
  readonly at: readonly string[];
}

export const target = { job: 'uptime', instance: 'exporter:9158' };
export const ofAccount = { ...target, account: 'shop' };
export const ofCheck = { ...ofAccount, check_id: '7', name: 'Front page' };
export const host = { hostname: 'www.example.com', check_type: 'http' };

/** A series of the account's check 7, or of another check or scope by labels. */
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

export const info = { [series('uptime_check_info', { ...host, severity: 'high' })]: '1x9000' };
export const lowInfo = { [series('uptime_check_info', { ...host, severity: 'low' })]: '1x9000' };

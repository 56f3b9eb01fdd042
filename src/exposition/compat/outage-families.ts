import type { CheckRow } from '../../state/snapshot.ts';
import {
  accountFamily,
  type CheckLabel,
  type CompatCheck,
  type CompatContext,
  type CompatFamily,
  checkFamily,
} from './compat-family.ts';

const ignoredTag = 'pingdom_exporter_ignored';

/** Whether a check is left alone by kokuwaio's and jusbrasil's exporters. */
export function isIgnored({ tags }: CheckRow): boolean {
  return tags.some(({ name }) => name === ignoredTag);
}

/** The SLO of a check in percent: of its first tag such as `uptime_slo_995`, which means 99.5, or the default. */
export function sloOf({ tags }: Pick<CheckRow, 'tags'>, defaultSlo: number): number {
  for (const { name } of tags) {
    const digits = /^uptime_slo_(\d+)$/.exec(name)?.[1];
    if (digits !== undefined) return Number(digits) / 10 ** Math.max(0, digits.length - 2);
  }
  return defaultSlo;
}

/** Always there with the list, for kokuwaio and jusbrasil. */
export const periodFamily = accountFamily(
  'pingdom_slo_period_seconds',
  'Period over which outages are counted, in seconds.',
  ({ snapshot }, { options }) => (snapshot.up ? options.outagePeriodSeconds : undefined),
);

/** 1 for up and 0 for every other state: paused and unknown too, because dashboards stand on it. */
export function statusFamilies(labels: readonly CheckLabel[]): CompatFamily<CompatCheck>[] {
  return [
    checkFamily(
      'pingdom_uptime_status',
      'Status of the check (1: up, 0: any other).',
      labels,
      ({ check }) => Number(check.status === 'up'),
    ),
    checkFamily(
      'pingdom_uptime_response_time_seconds',
      'Response time of the last test, in seconds; 0 when there is none.',
      labels,
      ({ check }) => check.lastResponseTimeSeconds ?? 0,
    ),
  ];
}

/**
 * The families that the other exporters read from outage reports; absent until the past of the check is known. The
 * whole budget does not depend on a report.
 */
export function outageFamilies(labels: readonly CheckLabel[]): CompatFamily<CompatCheck>[] {
  return [
    checkFamily(
      'pingdom_outages_total',
      'Outages within the period; a gauge.',
      labels,
      ({ report }) => report?.outages,
    ),
    checkFamily(
      'pingdom_up_seconds',
      'Seconds up within the period.',
      labels,
      ({ report }) => report?.up,
    ),
    checkFamily(
      'pingdom_down_seconds',
      'Seconds down within the period, maintenance included.',
      labels,
      ({ report }) => report?.down,
    ),
    checkFamily(
      'pingdom_uptime_slo_error_budget_total_seconds',
      'Seconds down that the SLO allows within the period.',
      labels,
      ({ check }, context) => errorBudget(check, context),
    ),
    checkFamily(
      'pingdom_uptime_slo_error_budget_available_seconds',
      'Seconds of the error budget that are left; negative when it is overspent.',
      labels,
      ({ check, report }, context) => report && errorBudget(check, context) - report.down,
    ),
  ];
}

/** In this order of operations, so that the last digits agree. */
function errorBudget(check: CheckRow, { options }: CompatContext): number {
  return (options.outagePeriodSeconds * (100 - sloOf(check, options.defaultSlo))) / 100;
}

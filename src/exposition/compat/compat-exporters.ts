import { reasonsWithoutResponse } from '../../api/errors.ts';
import type { CheckStatus } from '../../domain/check.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import type { SampledFamily } from '../catalogue/family.ts';
import {
  accountFamily,
  type CheckLabel,
  type CompatAccount,
  type CompatCheck,
  type CompatExporter,
  checkFamily,
  gauge,
  upFamily,
} from './compat-family.ts';
import { type CompatOptions, extraLabelName, type ParsedTags, parseTag } from './compat-options.ts';

/** Returns the tags of a check as kokuwaio's exporter shows them. */
function tagFamilies({ parsedTags }: CompatOptions): SampledFamily<CompatCheck>[] {
  if (parsedTags === undefined) return [tags];
  return [parsedTags.extraLabels.length > 0 ? labelsByKey(parsedTags) : labelsByTag(parsedTags)];
}

const tags = gauge<CompatCheck>(
  'pingdom_tags',
  'A tag of the check; always 1.',
  ['id', 'name', 'type', 'count'],
  ({ check, tagCounts }, { emit }) => {
    for (const { name, source } of check.tags) {
      const type = source === 'auto' ? 'a' : 'u';
      emit(1, `${check.id}`, name, type, `${tagCounts.get(name) ?? 0}`);
    }
  },
);

function tagsLabel(
  labels: readonly string[],
  samples: SampledFamily<CompatCheck>['samples'],
): SampledFamily<CompatCheck> {
  const help = 'Key and value of the tags of the check.';
  return gauge('pingdom_tags_label', help, labels, samples);
}

/** Returns a family with 1 for a tag of the format, otherwise 0. */
function labelsByTag({ format }: ParsedTags): SampledFamily<CompatCheck> {
  return tagsLabel(['id', 'label_key', 'label_value', 'name'], ({ check }, { emit }) => {
    // A tag may be set twice: by a person and by the service.
    for (const name of new Set(check.tags.map((tag) => tag.name))) {
      const parsed = parseTag(name, format);
      emit(parsed !== undefined, `${check.id}`, parsed?.key ?? '', parsed?.value ?? '', name);
    }
  });
}

/** Returns a family with one series per check that has tags; the last tag of a key wins. */
function labelsByKey({ format, extraLabels }: ParsedTags): SampledFamily<CompatCheck> {
  return tagsLabel(['id', ...extraLabels.map(extraLabelName)], ({ check }, { emit }) => {
    if (check.tags.length === 0) return;
    const values = new Map(
      check.tags.flatMap(({ name }): [string, string][] => {
        const parsed = parseTag(name, format);
        return parsed === undefined ? [] : [[parsed.key, parsed.value]];
      }),
    );
    emit(1, `${check.id}`, ...extraLabels.map((key) => values.get(key) ?? ''));
  });
}

const ignoredTag = 'pingdom_exporter_ignored';

/** Returns whether kokuwaio's and jusbrasil's exporters ignore a check. */
function isIgnored({ tags }: CheckRow): boolean {
  return tags.some(({ name }) => name === ignoredTag);
}

/** The SLO of a check in percent: from a tag such as `uptime_slo_995` (99.5), or the default. */
export function sloOf({ tags }: Pick<CheckRow, 'tags'>, defaultSlo: number): number {
  for (const { name } of tags) {
    const digits = /^uptime_slo_(\d+)$/.exec(name)?.[1];
    if (digits !== undefined) return Number(digits) / 10 ** Math.max(0, digits.length - 2);
  }
  return defaultSlo;
}

/** For kokuwaio and jusbrasil; present while `pingdom_up` is 1. */
function periodFamily({ outagePeriodSeconds }: CompatOptions): SampledFamily<CompatAccount> {
  return accountFamily(
    'pingdom_slo_period_seconds',
    'Period over which outages are counted, in seconds.',
    ({ snapshot }) => (snapshot.up ? outagePeriodSeconds : undefined),
  );
}

/** 1 for up and 0 for every other state: existing dashboards rely on it. */
function statusFamilies(labels: readonly CheckLabel[]): SampledFamily<CompatCheck>[] {
  return [
    checkFamily(
      'pingdom_uptime_status',
      'Status of the check (1: up, 0: every other state).',
      labels,
      ({ check }) => check.status === 'up',
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
 * Returns the families that the other exporters read from outage reports; absent until the past of
 * the check is known. The total error budget does not depend on a report.
 */
function outageFamilies(
  labels: readonly CheckLabel[],
  options: CompatOptions,
): SampledFamily<CompatCheck>[] {
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
      ({ check }) => errorBudget(check, options),
    ),
    checkFamily(
      'pingdom_uptime_slo_error_budget_available_seconds',
      'Seconds of the error budget that are left; negative when it is overspent.',
      labels,
      ({ check, report }) => report && errorBudget(check, options) - report.down,
    ),
  ];
}

/** The order of the operations is that of the other exporters, so that the last digits agree. */
function errorBudget(check: CheckRow, { outagePeriodSeconds, defaultSlo }: CompatOptions): number {
  return (outagePeriodSeconds * (100 - sloOf(check, defaultSlo))) / 100;
}

const identity = ['id', 'name', 'hostname'] as const satisfies readonly CheckLabel[];

/** github.com/kokuwaio/pingdom-exporter */
const kokuwaio: CompatExporter = {
  accountFamilies: (options) => [upFamily, periodFamily(options)],
  checkFamilies: (options) => [
    ...statusFamilies([...identity, 'resolution', 'paused']),
    ...tagFamilies(options),
    ...outageFamilies(identity, options),
  ],
  shows: (check) => !isIgnored(check),
  keepsChecks: false,
};

/** github.com/jusbrasil/pingdom-exporter */
const jusbrasil: CompatExporter = {
  accountFamilies: (options) => [
    upFamily,
    periodFamily(options),
    accountFamily(
      'pingdom_rate_limit_remaining_requests',
      'Requests left, the smaller of the short and the long limit.',
      remainingRequests,
    ),
  ],
  checkFamilies: (options) => [
    ...statusFamilies([...identity, 'status', 'resolution', 'paused', 'tags']),
    ...outageFamilies([...identity, 'tags'], options),
  ],
  shows: (check) => !isIgnored(check),
  keepsChecks: false,
};

const giantswarmStatus: { readonly [S in CheckStatus]: number } = {
  up: 0,
  unconfirmed_down: 1,
  down: 2,
  paused: -1,
  unknown: -2,
};
const giantswarmLabels = [...identity, 'resolution', 'paused', 'tags'] as const;

/** github.com/giantswarm/prometheus-pingdom-exporter, and camptocamp's of the same form */
const giantswarm: CompatExporter = {
  accountFamilies: () => [upFamily],
  checkFamilies: () => [
    checkFamily(
      'pingdom_check_status',
      'Status of the check (0: up, 1: unconfirmed down, 2: down, -1: paused, -2: unknown).',
      giantswarmLabels,
      ({ check }) => giantswarmStatus[check.status],
    ),
    checkFamily(
      'pingdom_check_response_time',
      'Response time of the last test, in milliseconds; 0 when there is none.',
      giantswarmLabels,
      // Rounded, because the service counts in whole milliseconds and 0.07 s × 1000 is not whole.
      ({ check }) => Math.round((check.lastResponseTimeSeconds ?? 0) * 1_000_000) / 1_000,
    ),
  ],
  shows: () => true,
  keepsChecks: true,
};

/** The other exporters by the value of `?compat=`. */
export const compatExporters = { kokuwaio, jusbrasil, giantswarm } as const;
export type CompatName = keyof typeof compatExporters;

/** Returns 0 without a response, and `Number.MAX_VALUE` without valid limit headers. */
function remainingRequests({ snapshot, budget }: CompatAccount): number {
  const { failure, lastSuccessAtSeconds } = snapshot.datasets.checks;
  if (failure !== undefined && reasonsWithoutResponse.includes(failure.reason)) return 0;
  const { short, long } = budget.windows;
  const remaining = [short, long].flatMap((window) => window?.remaining ?? []);
  if (budget.mode !== 'fallback' && remaining.length > 0) return Math.min(...remaining);
  return failure === undefined && lastSuccessAtSeconds === undefined ? 0 : Number.MAX_VALUE;
}

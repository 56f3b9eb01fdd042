import type { ApiErrorReason } from '../../api/errors.ts';
import type { CheckStatus } from '../../domain/check.ts';
import {
  accountFamily,
  type CheckLabel,
  type CompatAccount,
  type CompatExporter,
  checkFamily,
  upFamily,
} from './compat-family.ts';
import { isIgnored, outageFamilies, periodFamily, statusFamilies } from './outage-families.ts';
import { tagFamilies } from './tag-families.ts';

const identity = ['id', 'name', 'hostname'] as const satisfies readonly CheckLabel[];

/** github.com/kokuwaio/pingdom-exporter */
const kokuwaio: CompatExporter = {
  accountFamilies: [upFamily, periodFamily],
  checkFamilies: (options) => [
    ...statusFamilies([...identity, 'resolution', 'paused']),
    ...tagFamilies(options),
    ...outageFamilies(identity),
  ],
  shows: (check) => !isIgnored(check),
  keepsChecks: false,
};

/** github.com/jusbrasil/pingdom-exporter */
const jusbrasil: CompatExporter = {
  accountFamilies: [
    upFamily,
    periodFamily,
    accountFamily(
      'pingdom_rate_limit_remaining_requests',
      'Requests left, the smaller of the short and the long limit.',
      remainingRequests,
    ),
  ],
  checkFamilies: () => [
    ...statusFamilies([...identity, 'status', 'resolution', 'paused', 'tags']),
    ...outageFamilies([...identity, 'tags']),
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
  accountFamilies: [upFamily],
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
      // The service counts in whole milliseconds, which 0.07 s × 1000 is not.
      ({ check }) => Math.round((check.lastResponseTimeSeconds ?? 0) * 1_000_000) / 1_000,
    ),
  ],
  shows: () => true,
  keepsChecks: true,
};

/** The other exporters by the name that `?compat=` takes. */
export const compatExporters = { kokuwaio, jusbrasil, giantswarm } as const;
export type CompatName = keyof typeof compatExporters;

/** Reasons for which there is no reply whose headers could be read. */
const withoutReply: ReadonlySet<ApiErrorReason> = new Set([
  'timeout',
  'dns',
  'connection',
  'tls',
] as const);

/** 0 without a reply, and the largest number there is without legible limit headers. */
function remainingRequests({ snapshot, budget }: CompatAccount): number {
  const { failure, lastSuccessAtSeconds } = snapshot.datasets.checks;
  if (failure !== undefined && withoutReply.has(failure.reason)) return 0;
  const { short, long } = budget.windows;
  const known = [short, long].flatMap((window) => window?.remaining ?? []);
  if (budget.mode !== 'fallback' && known.length > 0) return Math.min(...known);
  return failure === undefined && lastSuccessAtSeconds === undefined ? 0 : Number.MAX_VALUE;
}

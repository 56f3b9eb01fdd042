import { type Check, type CheckStatus, checkStatuses } from '../../domain/check.ts';
import type { CheckFamily, Emit, SampleValue } from './family.ts';

/** Every family with series of its own for each check. */
export const checkFamilies: readonly CheckFamily[] = [
  labelled('uptime_check_info', 'What the check is; always 1.', {
    reads: ['type', 'hostname', 'severity', 'ipv6'],
    labels: ['check_type', 'hostname', 'severity', 'ipv6'],
    samples: ({ type, hostname, severity, ipv6 }, emit) =>
      emit(1, type, hostname ?? '', severity ?? '', ipv6 === undefined ? '' : String(ipv6)),
  }),
  labelled('uptime_check_tag_info', 'A tag of the check and who set it; always 1.', {
    reads: ['tags'],
    labels: ['tag', 'tag_source'],
    samples: ({ tags }, emit) => {
      const seen = new Set<string>();
      for (const { name, source } of tags) {
        const key = `${source} ${name.toWellFormed()}`;
        if (seen.has(key)) continue;
        seen.add(key);
        emit(1, name, source);
      }
    },
  }),
  plain(
    'uptime_check_up',
    '1 when the check is up, 0 when down or unconfirmed_down; absent when paused or unknown.',
    ['status'],
    ({ status }) => upValues[status],
  ),
  labelled('uptime_check_status', 'The status of the check: 1 for the one it has, else 0.', {
    reads: ['status'],
    labels: ['status'],
    samples: ({ status }, emit) => {
      for (const known of checkStatuses) emit(status === known, known);
    },
  }),
  plain(
    'uptime_check_paused',
    '1 when the check is paused, else 0.',
    ['status'],
    ({ status }) => status === 'paused',
  ),
  plain(
    'uptime_check_resolution_seconds',
    'Time between two tests of the check.',
    ['resolutionSeconds'],
    (check) => check.resolutionSeconds,
  ),
  plain(
    'uptime_check_last_response_time_seconds',
    'Response time of the last test of the check.',
    ['lastResponseTimeSeconds'],
    (check) => check.lastResponseTimeSeconds,
  ),
  plain(
    'uptime_check_last_test_timestamp_seconds',
    'UNIX time of the last test of the check.',
    ['lastTestAtSeconds'],
    (check) => check.lastTestAtSeconds,
  ),
  plain(
    'uptime_check_last_error_timestamp_seconds',
    'UNIX time of the last failed test of the check.',
    ['lastErrorAtSeconds'],
    (check) => check.lastErrorAtSeconds,
  ),
  plain(
    'uptime_check_last_down_start_timestamp_seconds',
    'UNIX time at which the last downtime of the check began.',
    ['lastDownStartAtSeconds'],
    (check) => check.lastDownStartAtSeconds,
  ),
  plain(
    'uptime_check_last_down_end_timestamp_seconds',
    'UNIX time at which the last downtime of the check ended.',
    ['lastDownEndAtSeconds'],
    (check) => check.lastDownEndAtSeconds,
  ),
  plain(
    'uptime_check_created_timestamp_seconds',
    'UNIX time at which the check was created.',
    ['createdAtSeconds'],
    (check) => check.createdAtSeconds,
  ),
];

const upValues: { readonly [S in CheckStatus]: SampleValue } = {
  up: 1,
  down: 0,
  unconfirmed_down: 0,
  unknown: undefined,
  paused: undefined,
};

interface LabelledRow<K extends keyof Check> {
  readonly reads: readonly K[];
  readonly labels: readonly string[];
  readonly samples: (check: Pick<Check, K>, emit: Emit) => void;
}

/** A gauge with labels of its own. The type of `samples` lets it read only what the row declares. */
function labelled<K extends keyof Check>(
  name: string,
  help: string,
  row: LabelledRow<K>,
): CheckFamily {
  return {
    name,
    type: 'gauge',
    help,
    commonLabels: ['account', 'check_id', 'name'],
    dataset: 'checks',
    ...row,
  };
}

/** A gauge with one series for each check. */
function plain<K extends keyof Check>(
  name: string,
  help: string,
  reads: readonly K[],
  value: (check: Pick<Check, K>) => SampleValue,
): CheckFamily {
  return labelled(name, help, { reads, labels: [], samples: (check, emit) => emit(value(check)) });
}

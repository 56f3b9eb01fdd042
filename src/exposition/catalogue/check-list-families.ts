import { type CheckStatus, checkStatuses, isTested, lastTestFailed } from '../../domain/check.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { type CheckFamily, lean, type SampleValue } from './family.ts';
import { itemFamiliesOf } from './row-families.ts';

const list = itemFamiliesOf<CheckRow>('checks');

export const checkListFamilies: readonly CheckFamily[] = [
  list.labelled('uptime_check_info', 'Properties of the check; always 1.', {
    reads: ['type', 'hostname', 'severity', 'ipv6'],
    labels: ['check_type', 'hostname', 'severity', 'ipv6'],
    samples: ({ type, hostname, severity, ipv6 }, emit) =>
      emit(1, type, hostname ?? '', severity ?? '', ipv6 === undefined ? '' : String(ipv6)),
  }),
  list.values(
    'uptime_check_tag_info',
    'A tag of the check and who set it; always 1.',
    'tags',
    ['tag', 'tag_source'],
    (tags, emit) => {
      const seen = new Set<string>();
      for (const { name, source } of tags) {
        const key = `${source} ${name.toWellFormed()}`;
        if (seen.has(key)) continue;
        seen.add(key);
        emit(1, name, source);
      }
    },
  ),
  list.value(
    'uptime_check_up',
    '1 when the check is up, 0 when down or unconfirmed_down; absent when paused or unknown.',
    'status',
    upValue,
  ),
  lean(
    'ones',
    list.values(
      'uptime_check_status',
      'The status of the check: 1 for the one it has, else 0.',
      'status',
      ['status'],
      (status, emit) => {
        for (const each of checkStatuses) emit(status === each, each);
      },
    ),
  ),
  lean(
    'ones',
    list.value(
      'uptime_check_paused',
      '1 when the check is paused, else 0.',
      'status',
      (status) => status === 'paused',
    ),
  ),
  list.field(
    'uptime_check_resolution_seconds',
    'Time between two tests of the check.',
    'resolutionSeconds',
  ),
  list.field(
    'uptime_check_last_response_time_seconds',
    'Response time of the last test of the check; absent unless that test was up.',
    'lastResponseTimeSeconds',
  ),
  list.field(
    'uptime_check_last_test_timestamp_seconds',
    'UNIX time of the last test of the check.',
    'lastTestAtSeconds',
  ),
  lean(
    'nothing',
    list.field(
      'uptime_check_last_error_timestamp_seconds',
      'UNIX time of the last failed test of the check.',
      'lastErrorAtSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_check_last_down_start_timestamp_seconds',
      'UNIX time at which the last downtime of the check began.',
      'lastDownStartAtSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_check_last_down_end_timestamp_seconds',
      'UNIX time at which the last downtime of the check ended.',
      'lastDownEndAtSeconds',
    ),
  ),
  list.field(
    'uptime_check_created_timestamp_seconds',
    'UNIX time at which the check was created.',
    'createdAtSeconds',
  ),
];

function upValue(status: CheckStatus): SampleValue {
  return isTested(status) ? !lastTestFailed(status) : undefined;
}

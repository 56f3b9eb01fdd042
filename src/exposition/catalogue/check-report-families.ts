import { recipientKinds } from '../../domain/check.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { type CheckFamily, lean } from './family.ts';
import { hourlyFamilies } from './hourly-families.ts';
import { itemFamiliesOf } from './row-families.ts';

const average = itemFamiliesOf<CheckRow>('average');
const hoursOfDay = itemFamiliesOf<CheckRow>('hours_of_day');
const detail = itemFamiliesOf<CheckRow>('detail');
const activeProbes = itemFamiliesOf<CheckRow>('active_probes');
const maintenance = itemFamiliesOf<CheckRow>('maintenance');

/** Gauges of a check from its averages, hours, detail, probes and maintenance. */
export const checkReportFamilies: readonly CheckFamily[] = [
  lean(
    'nothing',
    average.values(
      'uptime_check_uptime_ratio',
      'Share of the monitored time of the window in which the check was up, 0 to 1. Withdrawn when it is older than its window.',
      'averages',
      ['window'],
      (averages, emit) => {
        for (const { window, uptimeRatio } of averages) emit(uptimeRatio, window);
      },
    ),
  ),
  lean(
    'nothing',
    average.values(
      'uptime_check_average_response_time_seconds',
      'Average response time over the window. Withdrawn when it is older than its window.',
      'averages',
      ['window'],
      (averages, emit) => {
        for (const { window, responseTimeSeconds } of averages) emit(responseTimeSeconds, window);
      },
    ),
  ),
  average.values(
    'uptime_check_country_average_response_time_seconds',
    'Average response time over the last 24 hours by the country of the probe.',
    'averages',
    ['probe_country'],
    (averages, emit) => {
      const day = averages.find(({ window }) => window === '24h');
      for (const { countryIso, responseTimeSeconds } of day?.byCountry ?? []) {
        emit(responseTimeSeconds, countryIso);
      }
    },
  ),
  ...hourlyFamilies('check'),
  hoursOfDay.values(
    'uptime_check_hour_of_day_average_response_time_seconds',
    'Average response time over 7 days by the hour of the day, 0 to 23.',
    'hoursOfDay',
    ['hour'],
    (hours, emit) => {
      for (const { hour, responseTimeSeconds } of hours) emit(responseTimeSeconds, String(hour));
    },
  ),
  lean(
    'nothing',
    detail.value(
      'uptime_check_response_time_threshold_seconds',
      'Response time above which the check counts as down.',
      'settings',
      (settings) => settings.responseTimeThresholdSeconds,
    ),
  ),
  lean(
    'nothing',
    detail.value(
      'uptime_check_certificate_warning_seconds',
      'The check counts as down when its certificate expires within this time.',
      'settings',
      (settings) => settings.certificateWarningSeconds,
    ),
  ),
  lean(
    'nothing',
    detail.values(
      'uptime_check_notification_recipients',
      'Recipients notified when the check fails, by kind.',
      'settings',
      ['recipient'],
      ({ recipients }, emit) => {
        for (const kind of recipientKinds) emit(recipients[kind], kind);
      },
    ),
  ),
  activeProbes.field(
    'uptime_check_active_probes',
    'Probes that tested the check within a day.',
    'activeProbes',
  ),
  maintenance.value(
    'uptime_check_in_maintenance',
    '1 while the check is in maintenance, else 0.',
    'maintenance',
    ({ active }) => active,
  ),
  maintenance.value(
    'uptime_check_maintenance_end_timestamp_seconds',
    'UNIX time at which the windows that the check is in end; absent while it is not in maintenance.',
    'maintenance',
    ({ endAtSeconds }) => endAtSeconds,
  ),
  maintenance.value(
    'uptime_check_next_maintenance_start_timestamp_seconds',
    'UNIX time at which the next maintenance of the check begins.',
    'maintenance',
    ({ nextStartAtSeconds }) => nextStartAtSeconds,
  ),
];

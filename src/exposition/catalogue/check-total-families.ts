import { resultStatuses } from '../../domain/results.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { type CheckFamily, lean } from './family.ts';
import { itemFamiliesOf } from './row-families.ts';

/** The list counts states; outage reports only decide time that the list leaves open. */
const list = itemFamiliesOf<CheckRow>('checks');
const maintenance = itemFamiliesOf<CheckRow>('maintenance');
const results = itemFamiliesOf<CheckRow>('results');
const analyses = itemFamiliesOf<CheckRow>('analyses');

/** Totals of each check since it was first seen. */
export const checkTotalFamilies: readonly CheckFamily[] = [
  list.stateSeconds(
    'uptime_check_state_seconds_total',
    'Time the check spent in each state.',
    'availability',
    ({ seconds }) => seconds,
  ),
  list.value(
    'uptime_check_outages_total',
    'Outages of the check.',
    'availability',
    ({ outages }) => outages,
  ),
  maintenance.stateSeconds(
    'uptime_check_maintenance_seconds_total',
    'Time the check spent in each state during maintenance; absent when it never had any.',
    'availability',
    ({ maintenanceSeconds }) => maintenanceSeconds,
  ),
  lean(
    'nothing',
    list.value(
      'uptime_check_last_outage_duration_seconds',
      'Duration of the last outage of the check that has ended.',
      'availability',
      ({ lastOutageDurationSeconds }) => lastOutageDurationSeconds,
    ),
  ),
  lean(
    'hourly results',
    results.values(
      'uptime_check_results_total',
      'Tests of the check by result.',
      'results',
      ['status'],
      ({ byStatus }, emit) => {
        for (const status of resultStatuses) emit(byStatus[status], status);
      },
    ),
  ),
  lean(
    'hourly results',
    results.distributions(
      'uptime_check_response_time_seconds',
      'histogram',
      'Response times of tests that got a response.',
      'results',
      [],
      ({ responseTime }, { histogram }) => histogram(responseTime),
    ),
  ),
  results.values(
    'uptime_check_probe_results_total',
    'Tests of the check by the country of the probe.',
    'results',
    ['probe_country'],
    ({ byCountry = [] }, emit) => {
      for (const country of byCountry) emit(country.results, country.countryIso);
    },
  ),
  results.distributions(
    'uptime_check_probe_response_time_seconds',
    'summary',
    'Response times of tests that got a response, by the country of the probe.',
    'results',
    ['probe_country'],
    ({ byCountry = [] }, { summary }) => {
      for (const { countryIso, responseTimeSumSeconds, responseTimes } of byCountry) {
        summary(responseTimeSumSeconds, responseTimes, countryIso);
      }
    },
  ),
  lean(
    'nothing',
    analyses.field(
      'uptime_check_analyses_total',
      "Root cause analyses of the check's errors.",
      'analyses',
    ),
  ),
];

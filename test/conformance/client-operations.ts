import type { OperationName } from '../../src/domain/dataset.ts';

/** The client's operation for each documented GET, keyed by path. */
export const readBy: Readonly<Record<string, OperationName>> = {
  '/checks': 'list_checks',
  '/checks/{check}': 'get_check',
  '/credits': 'get_credits',
  '/maintenance': 'list_maintenance',
  '/maintenance.occurrences': 'list_occurrences',
  '/probes': 'list_probes',
  '/analysis/{check}': 'list_analyses',
  '/actions': 'list_actions',
  '/servertime': 'get_server_time',
  '/results/{check}': 'list_results',
  '/summary.average/{check}': 'get_average',
  '/summary.hoursofday/{check}': 'get_hours_of_day',
  '/summary.outage/{check}': 'list_outages',
  '/summary.performance/{check}': 'get_performance',
  '/summary.probes/{check}': 'list_active_probes',
  '/alerting/teams': 'list_teams',
  '/alerting/contacts': 'list_contacts',
  '/tms/check': 'list_transactions',
  '/tms/check/report/status': 'list_transaction_states',
  '/tms/check/{transaction}/report/performance': 'get_transaction_performance',
  '/contacts': 'list_contacts',
  '/users': 'list_contacts',
  '/teams': 'list_teams',
  '/reports.email': 'list_email_reports',
  '/reports.public': 'list_public_reports',
  '/reports.shared': 'list_shared_reports',
};

/** Documented GETs that the client does not use, with the reason. */
export const unread: Readonly<Record<string, string>> = {
  '/maintenance/{window}': 'in the list',
  '/maintenance.occurrences/{occurrence}': 'in the list',
  '/alerting/teams/{team}': 'in the list',
  '/alerting/contacts/{contact}': 'in the list',
  '/teams/{legacyTeam}': 'in the list',
  '/tms/check/{transaction}': 'no metric needs its steps',
  '/tms/check/{transaction}/report/status': 'in the report of all transactions',
  '/analysis/{failedCheck}/{analysis}': 'its form is not documented',
  '/reference': 'no metric needs it',
  '/settings': 'no metric needs it',
  '/single': 'makes the service test a host',
  '/traceroute': 'makes the service trace a route',
};

import type { ApiVersion } from '../../src/vocabulary.ts';

/** One row of an operation table of the API's documents, with a request that must succeed. */
export interface DocumentedOperation {
  readonly versions: readonly ApiVersion[];
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In the notation of the documents; a name in braces stands for an identifier. */
  readonly path: string;
  /** Document and section of the row. */
  readonly section: string;
  /** The top level of its response. */
  readonly answer: readonly string[];
  /** Its required parameters and some more; values in braces as in the path. */
  readonly send?: Readonly<Record<string, unknown>>;
}

const all = ['3.1', '2.1', '2.0'] as const;
const from21 = ['3.1', '2.1'] as const;
const only31 = ['3.1'] as const;
const only21 = ['2.1'] as const;
const only20 = ['2.0'] as const;
const legacy = ['2.1', '2.0'] as const;

type Row = [
  versions: readonly ApiVersion[],
  method: DocumentedOperation['method'],
  path: string,
  answer: string,
  send?: Readonly<Record<string, unknown>>,
];

function section(name: string, rows: readonly Row[]): DocumentedOperation[] {
  return rows.map(([versions, method, path, answer, send]) => ({
    versions,
    method,
    path,
    section: name,
    answer: answer.split(' '),
    ...(send !== undefined && { send }),
  }));
}

const http = { name: 'new', host: 'www.example.com', type: 'http' };
const future = { from: '{tomorrow}', to: '{dayAfter}' };
const steps = [{ fn: 'go_to', args: { url: 'https://www.example.com' } }];
const targets = { email: [{ severity: 'HIGH', address: 'new@example.com' }] };

export const documentedOperations: readonly DocumentedOperation[] = [
  ...section('Checks (3.1: 4.1; 2.x: 4.1)', [
    [all, 'GET', '/checks', 'checks'],
    [all, 'POST', '/checks', 'check', http],
    [all, 'PUT', '/checks', 'message', { checkids: '{check}', paused: 'true' }],
    [all, 'DELETE', '/checks', 'message', { delcheckids: '{check}' }],
    [all, 'GET', '/checks/{check}', 'check'],
    [all, 'PUT', '/checks/{check}', 'message', { name: 'renamed' }],
    [all, 'DELETE', '/checks/{check}', 'message'],
  ]),
  ...section('Credits (3.1: 4.1; 2.x: 4.5)', [[all, 'GET', '/credits', 'credits']]),
  ...section('Maintenance (3.1: 4.2; 2.x: 4.5)', [
    [from21, 'GET', '/maintenance', 'maintenance'],
    [from21, 'POST', '/maintenance', 'maintenance', { description: 'new', ...future }],
    [from21, 'DELETE', '/maintenance', 'message', { maintenanceids: '{window}' }],
    [from21, 'GET', '/maintenance/{window}', 'maintenance'],
    [from21, 'PUT', '/maintenance/{window}', 'message', { description: 'moved', ...future }],
    [from21, 'DELETE', '/maintenance/{window}', 'message'],
    [only31, 'GET', '/maintenance.occurrences', 'occurrences'],
    [only31, 'DELETE', '/maintenance.occurrences', 'message', { occurrenceids: '{occurrence}' }],
    [only31, 'GET', '/maintenance.occurrences/{occurrence}', 'occurrence'],
    [only31, 'PUT', '/maintenance.occurrences/{occurrence}', 'message', future],
    [only31, 'DELETE', '/maintenance.occurrences/{occurrence}', 'message'],
  ]),
  ...section('Probes, reference, analysis, alerts (3.1: 4.3; 2.x: 4.2, 4.5)', [
    [all, 'GET', '/probes', 'probes'],
    [all, 'GET', '/reference', 'regions timezones datetimeformats numberformats countries'],
    [all, 'GET', '/analysis/{check}', 'analysis'],
    [all, 'GET', '/analysis/{failedCheck}/{analysis}', ''],
    [all, 'GET', '/actions', 'actions'],
    [legacy, 'GET', '/servertime', 'servertime'],
  ]),
  ...section('Results, summaries, tests (3.1: 4.4; 2.x: 4.7)', [
    [all, 'GET', '/results/{check}', 'results activeprobes'],
    [all, 'GET', '/summary.average/{check}', 'summary'],
    [all, 'GET', '/summary.hoursofday/{check}', 'hoursofday'],
    [all, 'GET', '/summary.outage/{check}', 'summary'],
    [all, 'GET', '/summary.performance/{check}', 'summary'],
    [all, 'GET', '/summary.probes/{check}', 'probes', { from: '{yesterday}' }],
    [all, 'GET', '/single', 'result', { host: 'www.example.com', type: 'http' }],
    [all, 'GET', '/traceroute', 'traceroute', { host: 'www.example.com' }],
  ]),
  ...section('Teams and contacts (3.1: 4.5)', [
    [only31, 'GET', '/alerting/teams', 'teams'],
    [only31, 'POST', '/alerting/teams', 'team', { name: 'new', member_ids: [] }],
    [only31, 'GET', '/alerting/teams/{team}', 'team'],
    [only31, 'PUT', '/alerting/teams/{team}', 'team', { name: 'renamed', member_ids: [] }],
    [only31, 'DELETE', '/alerting/teams/{team}', 'message'],
    [only31, 'GET', '/alerting/contacts', 'contacts'],
    [
      only31,
      'POST',
      '/alerting/contacts',
      'contact',
      { name: 'new', notification_targets: targets },
    ],
    [only31, 'GET', '/alerting/contacts/{contact}', 'contact'],
    [
      only31,
      'PUT',
      '/alerting/contacts/{contact}',
      'contact',
      { name: 'renamed', paused: true, notification_targets: targets },
    ],
    [only31, 'DELETE', '/alerting/contacts/{contact}', 'message'],
  ]),
  ...section('Transactions (3.1: 4.6)', [
    [only31, 'GET', '/tms/check', 'checks limit offset'],
    [only31, 'POST', '/tms/check', 'check', { name: 'new', steps }],
    [only31, 'GET', '/tms/check/{transaction}', 'check'],
    [only31, 'PUT', '/tms/check/{transaction}', 'check', { name: 'renamed' }],
    [only31, 'DELETE', '/tms/check/{transaction}', 'message'],
    [only31, 'GET', '/tms/check/report/status', 'report'],
    [only31, 'GET', '/tms/check/{transaction}/report/status', 'report'],
    [only31, 'GET', '/tms/check/{transaction}/report/performance', 'report'],
  ]),
  ...section('Contacts (2.x: 4.3)', [
    [only20, 'GET', '/contacts', 'contacts'],
    [only20, 'POST', '/contacts', 'contact', { name: 'new' }],
    [only20, 'PUT', '/contacts/{legacyContact}', 'message', { name: 'renamed' }],
    [only20, 'PUT', '/contacts', 'message', { contactids: '{legacyContact}', paused: 'true' }],
    [only20, 'DELETE', '/contacts/{legacyContact}', 'message'],
    [only20, 'DELETE', '/contacts', 'message', { delcontactids: '{legacyContact}' }],
  ]),
  ...section('Users and teams (2.x: 4.4)', [
    [only21, 'GET', '/users', 'users'],
    [only21, 'POST', '/users', 'user', { name: 'new' }],
    [only21, 'PUT', '/users/{user}', 'message', { name: 'renamed' }],
    [only21, 'DELETE', '/users/{user}', 'message'],
    [only21, 'POST', '/users/{user}', 'contact_target', { email: 'new@example.com' }],
    [only21, 'PUT', '/users/{user}/{target}', 'message', { email: 'new@example.com' }],
    [only21, 'DELETE', '/users/{user}/{target}', 'message'],
    [only21, 'GET', '/teams', 'teams'],
    [only21, 'GET', '/teams/{legacyTeam}', 'team'],
    [only21, 'POST', '/teams', 'id name users', { name: 'new' }],
    [only21, 'PUT', '/teams/{legacyTeam}', 'id name users', { name: 'renamed' }],
    [only21, 'DELETE', '/teams/{legacyTeam}', 'success'],
  ]),
  ...section('Reports (2.x: 4.6)', [
    [legacy, 'GET', '/reports.email', 'subscriptions'],
    [legacy, 'POST', '/reports.email', 'message', { name: 'new' }],
    [legacy, 'PUT', '/reports.email/{emailReport}', 'message', { name: 'renamed' }],
    [legacy, 'DELETE', '/reports.email/{emailReport}', 'message'],
    [legacy, 'GET', '/reports.public', 'public'],
    [legacy, 'PUT', '/reports.public/{check}', 'message'],
    [legacy, 'DELETE', '/reports.public/{publicCheck}', 'message'],
    [legacy, 'GET', '/reports.shared', 'shared'],
    [legacy, 'POST', '/reports.shared', 'message', { sharedtype: 'banner', checkid: '{check}' }],
    [legacy, 'DELETE', '/reports.shared/{sharedReport}', 'message'],
  ]),
  ...section('Settings (2.x: 4.8)', [
    [legacy, 'GET', '/settings', 'settings'],
    [legacy, 'PUT', '/settings', 'message', { firstname: 'Ada' }],
  ]),
];

import type { OperationName } from '../../src/domain/dataset.ts';

interface DocumentedExchange {
  /** Below `/api/3.1/`. */
  readonly target: string;
  readonly body: unknown;
  readonly answer: unknown;
}

const check = {
  id: 12,
  name: 'Shop',
  hostname: 'shop.example.com',
  status: 'up',
  resolution: 1,
  created: 1_240_394_682,
  lasttesttime: 1_619_076_840,
  lastresponsetime: 355,
  ipv6: false,
};

const readCheck = {
  id: 12,
  name: 'Shop',
  type: 'http',
  status: 'up',
  hostname: 'shop.example.com',
  ipv6: false,
  resolutionSeconds: 60,
  createdAtSeconds: 1_240_394_682,
  lastTestAtSeconds: 1_619_076_840,
  lastResponseTimeSeconds: 0.355,
};

const transaction = {
  id: 3,
  name: 'Order',
  active: true,
  created_at: 1_553_070_682,
  modified_at: 1_553_070_968,
  last_downtime_start: 1_553_081_507,
  last_downtime_end: 1_553_082_034,
  interval: 10,
  region: 'us-west',
  status: 'successful',
  tags: [{ name: 'shop', type: 'u', count: '2' }],
};

const readTransaction = {
  id: 3,
  name: 'Order',
  status: 'successful',
  kind: 'script',
  active: true,
  region: 'us-west',
  tags: [{ name: 'shop', source: 'user' }],
  intervalSeconds: 600,
  createdAtSeconds: 1_553_070_682,
  modifiedAtSeconds: 1_553_070_968,
  lastDowntimeStartAtSeconds: 1_553_081_507,
  lastDowntimeEndAtSeconds: 1_553_082_034,
};

const period = 'from=1619073281&to=1619076881';
const dates = 'from=2021-04-22T06%3A34%3A41Z&to=2021-04-22T07%3A34%3A41Z';
const secret = 'private';

/**
 * The client's request, the service's response in the form of API 3.1, sections 2 and 4, and its
 * meaning. Everything personal in the bodies is called `private`.
 */
export const exchanges31 = {
  list_checks: {
    target: 'checks?include_tags=true&include_severity=true&limit=25000&offset=0',
    body: {
      checks: [
        { ...check, type: 'http', severity: 'HIGH', tags: [{ name: 'a', type: 'a', count: 2 }] },
      ],
      counts: { total: 1, limited: 1, filtered: 1 },
    },
    answer: {
      items: [{ ...readCheck, severity: 'HIGH', tags: [{ name: 'a', source: 'auto' }] }],
      rejected: [],
    },
  },
  get_check: {
    target: 'checks/12?include_teams=true',
    body: {
      check: {
        ...check,
        type: {
          http: {
            username: secret,
            password: secret,
            url: `/${secret}`,
            encryption: true,
            port: 443,
            shouldcontain: secret,
            postdata: secret,
            requestheaders: { Authorization: secret },
            verify_certificate: true,
            ssl_down_days_before: 7,
          },
        },
        responsetime_threshold: 30_000,
        custom_message: secret,
        integrationids: [1, 2],
        userids: [5],
        teams: [{ id: 9, name: secret }],
        probe_filters: ['region:EU'],
        sendnotificationwhendown: 2,
        notifyagainevery: 0,
        notifywhenbackup: true,
        tags: [{ name: 'a', type: 'u', count: '2' }],
      },
    },
    answer: {
      responseTimeThresholdSeconds: 30,
      certificateWarningSeconds: 604_800,
      recipients: { user: 1, team: 1, integration: 2 },
    },
  },
  list_results: {
    target: `results/12?${period}&limit=1000&offset=0`,
    body: {
      activeprobes: [257, 261],
      results: [
        {
          probeid: 261,
          time: 1_619_073_400,
          status: 'unconfirmed_down',
          statusdesc: 'Timeout (> 30s)',
          statusdesclong: secret,
          analysisid: 5,
        },
        { probeid: 257, time: 1_619_073_340, status: 'up', responsetime: 92, statusdesc: secret },
      ],
    },
    answer: {
      items: [
        { atSeconds: 1_619_073_340, probeId: 257, status: 'up', responseTimeSeconds: 0.092 },
        {
          atSeconds: 1_619_073_400,
          probeId: 261,
          status: 'unconfirmed_down',
          description: 'Timeout (> 30s)',
        },
      ],
      rejected: [],
    },
  },
  get_average: {
    target: `summary.average/12?${period}&includeuptime=true`,
    body: {
      summary: {
        responsetime: { from: 1_619_073_281, to: 1_619_076_881, avgresponse: 117 },
        status: { totalup: 3000, totaldown: 500, totalunknown: 100 },
      },
    },
    answer: {
      value: {
        responseTimeSeconds: 0.117,
        states: { upSeconds: 3000, downSeconds: 500, unknownSeconds: 100 },
        byCountry: [],
      },
      rejected: [],
    },
  },
  get_hours_of_day: {
    target: `summary.hoursofday/12?${period}`,
    body: {
      hoursofday: [
        { hour: 0, avgresponse: 94 },
        { hour: 23, avgresponse: 1004 },
      ],
    },
    answer: {
      items: [
        { hour: 0, responseTimeSeconds: 0.094 },
        { hour: 23, responseTimeSeconds: 1.004 },
      ],
      rejected: [],
    },
  },
  list_outages: {
    target: 'summary.outage/12?from=1619066081&to=1619076881&order=asc',
    body: {
      summary: {
        states: [
          { status: 'up', timefrom: 1_619_073_281, timeto: 1_619_074_000 },
          { status: 'down', timefrom: 1_619_074_000, timeto: 1_619_076_881 },
        ],
      },
    },
    answer: {
      items: [
        { state: 'up', fromSeconds: 1_619_073_281, toSeconds: 1_619_074_000 },
        { state: 'down', fromSeconds: 1_619_074_000, toSeconds: 1_619_076_881 },
      ],
      rejected: [],
    },
  },
  get_performance: {
    target: `summary.performance/12?${period}&resolution=hour&includeuptime=true&order=asc`,
    body: {
      summary: {
        hours: [
          {
            starttime: 1_619_073_281,
            avgresponse: 200,
            uptime: 3480,
            downtime: 60,
            unmonitored: 60,
          },
          { starttime: 1_619_076_881, avgresponse: 0, uptime: 0, downtime: 60, unmonitored: 0 },
        ],
      },
    },
    answer: {
      items: [
        {
          startAtSeconds: 1_619_073_281,
          complete: true,
          averageResponseTimeSeconds: 0.2,
          upSeconds: 3480,
          downSeconds: 60,
          unmonitoredSeconds: 60,
        },
        {
          startAtSeconds: 1_619_076_881,
          complete: false,
          upSeconds: 0,
          downSeconds: 60,
          unmonitoredSeconds: 0,
        },
      ],
      rejected: [],
    },
  },
  list_active_probes: {
    target: `summary.probes/12?${period}`,
    body: { probes: [257, 261] },
    answer: { items: [257, 261], rejected: [] },
  },
  list_analyses: {
    target: `analysis/12?${period}&limit=100&offset=0`,
    body: {
      analysis: [{ id: 5, timefirsttest: 1_619_073_400, timeconfirmtest: 1_619_073_404 }],
    },
    answer: {
      items: [{ id: 5, firstTestAtSeconds: 1_619_073_400, confirmTestAtSeconds: 1_619_073_404 }],
      rejected: [],
    },
  },
  get_credits: {
    target: 'credits',
    body: { credits: { checklimit: 50, autofillsms: true, max_sms_overage: null } },
    answer: { checkLimit: 50, smsAutofillEnabled: true },
  },
  list_probes: {
    target: 'probes',
    body: {
      probes: [
        {
          id: 32,
          country: 'Sweden',
          city: 'Stockholm',
          name: 'Stockholm 2',
          active: true,
          hostname: 's424.example.com',
          ip: '192.0.2.12',
          ipv6: '2001:db8::12',
          countryiso: 'SE',
          region: 'EU',
        },
      ],
    },
    answer: {
      items: [
        {
          id: 32,
          name: 'Stockholm 2',
          country: 'Sweden',
          countryIso: 'SE',
          city: 'Stockholm',
          region: 'EU',
          active: true,
        },
      ],
      rejected: [],
    },
  },
  list_actions: {
    target: `actions?${period}&limit=300&offset=0`,
    body: {
      actions: {
        alerts: [
          {
            username: secret,
            userid: 77,
            checkid: 12,
            time: 1_619_073_402,
            via: 'sms',
            status: 'notdelivered',
            messageshort: secret,
            messagefull: secret,
            sentto: secret,
            charged: true,
          },
        ],
      },
    },
    answer: {
      items: [
        {
          atSeconds: 1_619_073_402,
          checkId: 12,
          via: 'sms',
          status: 'not_delivered',
        },
      ],
      rejected: [],
    },
  },
  list_contacts: {
    target: 'alerting/contacts',
    body: {
      contacts: [
        {
          id: 1,
          name: secret,
          paused: false,
          type: 'user',
          owner: true,
          notification_targets: {
            email: [
              { severity: 'HIGH', address: secret },
              { severity: 'LOW', address: secret },
              { severity: 'HIGH', address: secret },
            ],
            sms: [{ severity: 'HIGH', country_code: '00', number: secret, provider: secret }],
            apns: [{ severity: 'LOW', device: secret, name: secret }],
          },
          teams: [{ id: 9, name: secret }],
        },
      ],
    },
    answer: {
      items: [
        {
          id: 1,
          type: 'user',
          paused: false,
          owner: true,
          targets: [
            { medium: 'email', severity: 'high', count: 2 },
            { medium: 'email', severity: 'low', count: 1 },
            { medium: 'sms', severity: 'high', count: 1 },
            { medium: 'apns', severity: 'low', count: 1 },
          ],
        },
      ],
      rejected: [],
    },
  },
  list_maintenance: {
    target: 'maintenance?orderby=from&order=asc&limit=1000&offset=0',
    body: {
      maintenance: [
        {
          id: 8,
          description: 'Backup',
          from: 1_619_073_300,
          to: 1_619_073_600,
          recurrencetype: 'week',
          repeatevery: 2,
          effectiveto: 1_700_000_000,
          checks: { uptime: [12, 13], tms: [3] },
        },
      ],
    },
    answer: {
      items: [
        {
          id: 8,
          description: 'Backup',
          recurrence: 'week',
          repeatEvery: 2,
          startAtSeconds: 1_619_073_300,
          endAtSeconds: 1_619_073_600,
          recurrenceEndAtSeconds: 1_700_000_000,
          checkIds: [12, 13],
          transactionIds: [3],
        },
      ],
      rejected: [],
    },
  },
  list_teams: {
    target: 'alerting/teams',
    body: {
      teams: [{ id: 9, name: 'Operations', members: [{ id: 1, name: secret, type: 'user' }] }],
    },
    answer: { items: [{ id: 9, name: 'Operations', memberCount: 1 }], rejected: [] },
  },
  list_occurrences: {
    target: `maintenance.occurrences?${period}`,
    body: {
      occurrences: [
        { id: 20, maintenanceid: 8, from: 1_619_073_300, to: 1_619_073_600, duration: 5 },
      ],
    },
    answer: {
      items: [{ id: 20, maintenanceId: 8, fromSeconds: 1_619_073_300, toSeconds: 1_619_073_600 }],
      rejected: [],
    },
  },
  list_transactions: {
    target: 'tms/check?extended_tags=true&limit=1000&offset=0',
    body: { checks: [{ ...transaction, type: 'script' }], limit: '1000', offset: '0' },
    answer: { items: [readTransaction], rejected: [] },
  },
  list_transaction_states: {
    target: `tms/check/report/status?${dates}&order=asc&limit=100&offset=0`,
    body: {
      report: [
        {
          check_id: 3,
          name: 'Order',
          states: [
            {
              status: 'down',
              from: '2021-04-22T08:34:41.250+02:00',
              to: '2021-04-22T07:00:00.000Z',
              error_in_step: 2,
              message: secret,
            },
            { status: 'up', from: '2021-04-22T07:00:00Z', to: '2021-04-22T07:34:41Z' },
          ],
        },
        { check_id: 4, name: 'Search', states: [] },
      ],
    },
    answer: {
      items: [
        {
          transactionId: 3,
          states: [
            {
              state: 'down',
              fromSeconds: 1_619_073_281,
              toSeconds: 1_619_074_800,
              failedStep: 2,
            },
            { state: 'up', fromSeconds: 1_619_074_800, toSeconds: 1_619_076_881 },
          ],
        },
        { transactionId: 4, states: [] },
      ],
      rejected: [],
    },
  },
  get_transaction_performance: {
    target: `tms/check/3/report/performance?${dates}&resolution=hour&include_uptime=true&order=asc`,
    body: {
      report: {
        check_id: 3,
        name: 'Order',
        resolution: 'hour',
        intervals: [
          {
            from: '2021-04-22T06:34:41Z',
            average_response: 2507,
            uptime: 3540,
            downtime: 60,
            unmonitored: 0,
            steps: [
              { step: { fn: 'go_to', args: { url: secret } }, average_response: 1500 },
              { step: { fn: 'click', args: { element: secret } }, average_response: 1007 },
            ],
          },
        ],
      },
    },
    answer: {
      items: [
        {
          startAtSeconds: 1_619_073_281,
          complete: true,
          averageResponseTimeSeconds: 2.507,
          upSeconds: 3540,
          downSeconds: 60,
          unmonitoredSeconds: 0,
          steps: [
            { fn: 'go_to', averageResponseTimeSeconds: 1.5 },
            { fn: 'click', averageResponseTimeSeconds: 1.007 },
          ],
        },
      ],
      rejected: [],
    },
  },
} satisfies { readonly [O in OperationName]?: DocumentedExchange };

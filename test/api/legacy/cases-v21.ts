import { type Case, checkId, from, listing, period, to } from './case.ts';
import {
  basicCredits,
  detailEntry,
  knownProbe,
  listEntry,
  listedCheck,
  probe,
  sentAction,
  sentAlert,
} from './wire-samples.ts';

/** Operations that only version 2.1 has, or has in this form. */
export const casesOfV21: readonly Case[] = [
  {
    operation: 'list_checks',
    call: (service, signal) => service.listChecks(signal),
    path: '/checks',
    query: { include_tags: 'true', include_severity: 'true', limit: '25000', offset: '0' },
    reply: {
      checks: [{ ...listEntry, severity: 'HIGH', probe_filters: ['region:EU'] }],
      counts: { total: 1, filtered: 1, limited: 1 },
    },
    answer: listing({ ...listedCheck, severity: 'HIGH' }),
  },
  {
    operation: 'get_check',
    call: (service, signal) => service.check({ checkId }, signal),
    path: '/checks/85975',
    query: { include_teams: 'true' },
    reply: {
      check: {
        ...detailEntry,
        userids: [1, 2],
        responsetime_threshold: 30000,
        integrationids: [44],
        teams: [{ id: '7', name: 'Operations' }],
      },
    },
    answer: {
      responseTimeThresholdSeconds: 30,
      recipients: { user: 2, team: 1, integration: 1 },
    },
  },
  {
    operation: 'get_credits',
    call: (service, signal) => service.credits(signal),
    path: '/credits',
    query: {},
    reply: {
      credits: {
        ...basicCredits,
        useddefault: 38,
        usedtransaction: 0,
        autofillsms_amount: 100,
        autofillsms_when_left: 10,
        max_sms_overage: null,
        availablerumsites: 9,
        usedrumsites: 1,
        maxrumfilters: 15,
        maxrumpageviews: 1000000,
      },
    },
    answer: {
      checkLimit: 50,
      checksAvailable: 12,
      defaultChecksUsed: 38,
      transactionChecksUsed: 0,
      smsAvailable: 152,
      smsTestsAvailable: 150,
      smsAutofillEnabled: false,
      smsAutofillAmount: 100,
      smsAutofillThreshold: 10,
      rumSitesAvailable: 9,
      rumSitesUsed: 1,
      rumFiltersLimit: 15,
      rumPageviewsLimit: 1000000,
    },
  },
  {
    operation: 'list_probes',
    call: (service, signal) => service.listProbes(signal),
    path: '/probes',
    query: {},
    reply: { probes: [{ ...probe, ipv6: '2001:db8::1' }] },
    answer: listing(knownProbe),
  },
  {
    operation: 'list_actions',
    call: (service, signal) => service.listActions(period, signal),
    path: '/actions',
    query: { from, to, limit: '300', offset: '0' },
    reply: { actions: { alerts: [{ ...sentAlert, username: 'John Doe', userid: 111250 }] } },
    answer: listing(sentAction),
  },
  {
    operation: 'list_contacts',
    call: (service, signal) => service.listContacts(signal),
    path: '/users',
    query: {},
    reply: {
      users: [
        {
          id: 1234,
          paused: 0,
          name: 'John Doe',
          sms: [
            { id: 1, severity: 'HIGH', country_code: '46', number: '5555555', provider: 'e' },
            { id: 2, severity: 'LOW', country_code: '46', number: '5555556', provider: 'e' },
          ],
          email: [
            { id: 3, severity: 'HIGH', address: 'john@example.com' },
            { id: 4, severity: 'HIGH', address: 'doe@example.com' },
          ],
        },
        { id: 5678, paused: 'YES', name: 'Jane Doe' },
      ],
    },
    answer: listing(
      {
        id: 1234,
        type: 'user',
        paused: false,
        targets: [
          { medium: 'email', severity: 'high', count: 2 },
          { medium: 'sms', severity: 'high', count: 1 },
          { medium: 'sms', severity: 'low', count: 1 },
        ],
      },
      { id: 5678, type: 'user', paused: true, targets: [] },
    ),
  },
  {
    operation: 'list_teams',
    call: (service, signal) => service.listTeams(signal),
    path: '/teams',
    query: {},
    reply: {
      teams: [
        {
          id: '44',
          name: 'Operations',
          users: [{ id: '1234', email: 'john@example.com', name: 'John Doe' }],
        },
      ],
    },
    answer: listing({ id: 44, name: 'Operations', memberCount: 1 }),
  },
  {
    operation: 'list_maintenance',
    call: (service, signal) => service.listMaintenance(signal),
    path: '/maintenance',
    query: { orderby: 'from', order: 'asc', limit: '1000', offset: '0' },
    reply: {
      maintenance: [
        {
          id: 3,
          description: 'Upgrade',
          from: 1293840000,
          to: 1293843600,
          recurrencetype: 'week',
          repeatevery: 2,
          effectiveto: 1299999999,
          checks: { uptime: [85975, '85976'], tms: [9] },
        },
      ],
    },
    answer: listing({
      id: 3,
      description: 'Upgrade',
      recurrence: 'week',
      repeatEvery: 2,
      startAtSeconds: 1293840000,
      endAtSeconds: 1293843600,
      recurrenceEndAtSeconds: 1299999999,
      checkIds: [85975, 85976],
      transactionIds: [9],
    }),
  },
  {
    operation: 'list_email_reports',
    call: (service, signal) => service.listEmailReports(signal),
    path: '/reports.email',
    query: {},
    reply: {
      subscriptions: [
        {
          id: 1,
          name: 'Weekly',
          type: 'email',
          checkid: 85975,
          frequency: 'weekly',
          additionalemails: ['john@example.com'],
          include_paused: true,
        },
        { id: 2, name: 'All', type: 'email', frequency: 'monthly', additionalemails: [] },
      ],
    },
    answer: listing(
      { id: 1, frequency: 'weekly', checkId: 85975 },
      { id: 2, frequency: 'monthly' },
    ),
  },
];

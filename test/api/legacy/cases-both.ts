import { type Case, checkPeriod, decoded, from, listing, to } from './case.ts';

/** Operations that both versions have in the same form. */
export const casesOfBoth: readonly Case[] = [
  {
    operation: 'list_results',
    call: (service, signal) => service.listResults(checkPeriod, signal),
    path: '/results/85975',
    query: { from, to, limit: '1000', offset: '0' },
    reply: {
      results: [
        {
          probeid: 33,
          time: 1293840155,
          status: 'up',
          responsetime: 91,
          statusdesc: 'OK',
          statusdesclong: 'OK',
        },
        {
          probeid: 34,
          time: 1293840095,
          status: 'unconfirmed_down',
          statusdesc: 'Timeout (> 30s)',
          statusdesclong: 'Timeout',
          analysisid: 7,
        },
      ],
      activeprobes: [33, 34],
    },
    answer: listing(
      {
        atSeconds: 1293840095,
        probeId: 34,
        status: 'unconfirmed_down',
        description: 'Timeout (> 30s)',
      },
      { atSeconds: 1293840155, probeId: 33, status: 'up', responseTimeSeconds: 0.091 },
    ),
  },
  {
    operation: 'get_average',
    call: (service, signal) => service.average(checkPeriod, signal),
    path: '/summary.average/85975',
    query: { from, to, includeuptime: 'true' },
    reply: {
      summary: {
        responsetime: { from: 1293840000, to: 1293926400, avgresponse: 234 },
        status: { totalup: 86000, totaldown: 300, totalunknown: 100 },
      },
    },
    answer: decoded({
      responseTimeSeconds: 0.234,
      states: { upSeconds: 86000, downSeconds: 300, unknownSeconds: 100 },
      byCountry: [],
    }),
  },
  {
    operation: 'get_hours_of_day',
    call: (service, signal) => service.hoursOfDay(checkPeriod, signal),
    path: '/summary.hoursofday/85975',
    query: { from, to },
    reply: {
      hoursofday: [
        { hour: 0, avgresponse: 222 },
        { hour: 23, avgresponse: 219 },
      ],
    },
    answer: listing(
      { hour: 0, responseTimeSeconds: 0.222 },
      { hour: 23, responseTimeSeconds: 0.219 },
    ),
  },
  {
    operation: 'list_outages',
    call: (service, signal) => service.listOutages(checkPeriod, signal),
    path: '/summary.outage/85975',
    query: { from: '1293832800', to, order: 'asc' },
    reply: {
      summary: {
        states: [
          { status: 'up', timefrom: 1293840000, timeto: 1293850000 },
          { status: 'down', timefrom: 1293850000, timeto: 1293850120 },
          { status: 'up', timefrom: 1293850120, timeto: 1293926400 },
        ],
      },
    },
    answer: listing(
      { state: 'up', fromSeconds: 1293840000, toSeconds: 1293850000 },
      { state: 'down', fromSeconds: 1293850000, toSeconds: 1293850120 },
      { state: 'up', fromSeconds: 1293850120, toSeconds: 1293926400 },
    ),
  },
  {
    operation: 'get_performance',
    call: (service, signal) => service.performance({ ...checkPeriod, resolution: 'day' }, signal),
    path: '/summary.performance/85975',
    query: { from, to, resolution: 'day', includeuptime: 'true', order: 'asc' },
    reply: {
      summary: {
        days: [
          {
            starttime: 1293840000,
            avgresponse: 273,
            uptime: 86000,
            downtime: 400,
            unmonitored: 0,
          },
        ],
      },
    },
    answer: listing({
      startAtSeconds: 1293840000,
      complete: true,
      averageResponseTimeSeconds: 0.273,
      upSeconds: 86000,
      downSeconds: 400,
      unmonitoredSeconds: 0,
    }),
  },
  {
    operation: 'list_active_probes',
    call: (service, signal) => service.listActiveProbes(checkPeriod, signal),
    path: '/summary.probes/85975',
    query: { from, to },
    reply: { probes: [40, '41', 46] },
    answer: listing(40, 41, 46),
  },
  {
    operation: 'list_analyses',
    call: (service, signal) => service.listAnalyses(checkPeriod, signal),
    path: '/analysis/85975',
    query: { from, to, limit: '100', offset: '0' },
    reply: {
      analysis: [{ id: 49245, timefirsttest: 1293871233, timeconfirmtest: 1293871253 }],
    },
    answer: listing({
      id: 49245,
      firstTestAtSeconds: 1293871233,
      confirmTestAtSeconds: 1293871253,
    }),
  },
  {
    operation: 'get_server_time',
    call: (service, signal) => service.serverTime(signal),
    path: '/servertime',
    query: {},
    reply: { servertime: 1294237910 },
    answer: 1294237910,
  },
  {
    operation: 'list_public_reports',
    call: (service, signal) => service.listPublicReports(signal),
    path: '/reports.public',
    query: {},
    reply: {
      public: [{ checkid: 85975, checkname: 'My check 1', reporturl: 'https://r.example.com/1' }],
    },
    answer: listing({ checkId: 85975 }),
  },
  {
    operation: 'list_shared_reports',
    call: (service, signal) => service.listSharedReports(signal),
    path: '/reports.shared',
    query: {},
    reply: {
      shared: {
        banners: [
          { id: 'a1b2c3', name: 'B', checkid: 85975, auto: true, type: 'uptime', url: 'https://x' },
          { id: 'd4e5f6', name: 'B', checkid: 85975, auto: true, type: 'uptime', url: 'https://y' },
        ],
      },
    },
    answer: listing({ checkId: 85975, type: 'uptime' }, { checkId: 85975, type: 'uptime' }),
  },
];

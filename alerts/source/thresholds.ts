/**
 * Every objective and threshold of the alerts. Change a number here and write the rule files anew with
 * `npm run generate`.
 */
export const thresholds = {
  /** `job` of the scrape configuration; the only thing that says an exporter should be there at all. */
  job: 'uptime',
  /** Where docs/runbook.md can be read; each alert links to its own section. */
  runbook: 'https://example.com/uptime-exporter/docs/runbook.md',

  /** Share of the time a check has to be up, planned maintenance left out. */
  objective: 0.999,
  /** A check that bears one of these tags in the service has that objective instead; the first one counts. */
  objectiveOfTag: { 'slo-99': 0.99, 'slo-99-5': 0.995, 'slo-99-95': 0.9995, 'slo-99-99': 0.9999 },

  down: { for: '1m' },
  manyDown: { share: 0.2, checks: 5, for: '2m' },
  flapping: { outages: 4, within: '1h' },
  slow: {
    /** Of the response time from which the service counts the check as down. */
    shareOfLimit: 0.8,
    /** Times the average of the last 7 days, if that is this much slower at least. */
    timesUsual: 2,
    leastSlowerSeconds: 0.25,
    over: '15m',
    for: '15m',
  },
  unknown: { for: '30m' },
  pausedTooLong: { days: 7 },
  notifiesNobody: { for: '1h' },

  transactionFailing: { for: '2m' },
  transactionSlow: { timesUsual: 1.5, leastSlowerSeconds: 1, for: '15m' },

  checksLeft: { share: 0.05, for: '1h' },
  smsLeft: { messages: 20, for: '30m' },
  contactsPaused: { for: '1d' },

  exporterDown: { for: '5m' },
  exporterAbsent: { for: '10m' },
  unreadable: { for: '10m' },
  /** In planned intervals; the exporter withdraws the data at 3. */
  stale: { intervals: 3, leastSeconds: 300, for: '5m' },
  apiBudget: { shareLeft: 0.1, for: '10m' },
  exhaustion: { trendHours: 6, for: '30m' },
  throttled: { within: '15m' },
  budgetTooSmall: { for: '1h' },
  /** Beyond 300 s the exporter does not believe a clock that runs ahead of its own. */
  clockWrong: { offByMoreThanSeconds: 60, for: '15m' },
  unauthorized: { within: '2h' },
  store: { within: '15m' },
  configReload: { for: '5m' },
  labelLimit: { for: '5m' },
} as const;

import type { HistogramFamily, MetricType, RecordedFamily } from './family.ts';

/** What the exporter records about its own work. */
export const recordedFamilies = {
  buildInfo: recorded('gauge', 'build_info', 'What runs; always 1.', ['version', 'revision']),
  datasetErrors: recorded('counter', 'dataset_errors_total', 'Refreshes that failed, by reason.', [
    'account',
    'dataset',
    'reason',
  ]),
  rejectedEntries: recorded(
    'counter',
    'rejected_entries_total',
    'Entries of otherwise good lists that were left out, by reason.',
    ['account', 'dataset', 'reason'],
  ),
  apiRequests: recorded(
    'counter',
    'api_requests_total',
    'API requests by operation, and by status code or the reason why there was none.',
    ['account', 'operation', 'code'],
  ),
  apiRequestDuration: {
    ...recorded(
      'histogram',
      'api_request_duration_seconds',
      'Time from sending an API request to the end of its reply.',
      ['account', 'operation'],
    ),
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  } satisfies HistogramFamily,
  apiResponseBytes: recorded(
    'counter',
    'api_response_bytes_total',
    'Bytes of API replies as they came over the network.',
    ['account', 'operation'],
  ),
  apiClockOffset: recorded(
    'gauge',
    'api_clock_offset_seconds',
    "The service's clock less the exporter's, when the service last answered.",
    ['account'],
  ),
  pollerErrors: recorded(
    'counter',
    'poller_errors_total',
    'Mistakes of the exporter in the loop that polls the account; the loop goes on.',
    ['account'],
  ),
  probeRequests: recorded(
    'counter',
    'probe_requests_total',
    'Requests sent although the reserve forbids them, one an hour, to learn limits that hold everything back.',
    ['account'],
  ),
  series: recorded('gauge', 'series', "Series on the page, the exporter's own left out.", []),
  pageBytes: recorded(
    'gauge',
    'page_bytes',
    "Size of the page in the text format by encoding, the exporter's own series left out.",
    ['encoding'],
  ),
  renderSeconds: recorded(
    'gauge',
    'render_seconds',
    'Time the last rendering of the page took.',
    [],
  ),
  storeWrites: recorded(
    'counter',
    'store_writes_total',
    'Writes that made the state of the exporter durable.',
    [],
  ),
  storeErrors: recorded('counter', 'store_errors_total', 'Writes to the store that failed.', []),
  storeLastWrite: recorded(
    'gauge',
    'store_last_write_timestamp_seconds',
    'UNIX time of the last write that made the state of the exporter durable.',
    [],
  ),
  storeRecordsLost: recorded(
    'counter',
    'store_records_lost_total',
    'Stored records that could no longer be read, by what they held. Their counters restart at 0.',
    ['kind'],
  ),
  storeFailing: recorded(
    'gauge',
    'store_failing',
    '1 while nothing can be stored: counters are paused at their last durable values; otherwise 0.',
    [],
  ),
  labelValuesDropped: recorded(
    'counter',
    'label_values_dropped_total',
    'Values of promoted labels that were left empty because the label had too many.',
    ['account', 'label'],
  ),
  configReloadSuccessful: recorded(
    'gauge',
    'config_last_reload_successful',
    '1 when the last reading of the configuration worked.',
    [],
  ),
  configReloadSuccess: recorded(
    'gauge',
    'config_last_reload_success_timestamp_seconds',
    'UNIX time of the last reading of the configuration that worked.',
    [],
  ),
} as const;

function recorded<L extends string>(
  type: MetricType,
  suffix: string,
  help: string,
  labels: readonly L[],
): RecordedFamily<L> {
  return { name: `uptime_exporter_${suffix}`, type, help, commonLabels: [], labels };
}

import { exporterFamily, type HistogramFamily, lean } from './family.ts';

/** Families that the exporter records about its own work. */
export const recordedFamilies = {
  buildInfo: exporterFamily('build_info', 'Version and revision of the exporter; always 1.', [
    'version',
    'revision',
    'branch',
  ]),
  databaseRequestDuration: {
    ...exporterFamily('database_request_duration_seconds', 'Time to renew and read the leases.'),
    type: 'histogram',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  } satisfies HistogramFamily,
  datasetErrors: lean(
    'events',
    exporterFamily('dataset_errors_total', 'Failed refreshes by reason.', [
      'account',
      'dataset',
      'reason',
    ]),
  ),
  rejectedEntries: exporterFamily(
    'rejected_entries_total',
    'Entries rejected from otherwise valid lists, by reason.',
    ['account', 'dataset', 'reason'],
  ),
  apiRequests: exporterFamily(
    'api_requests_total',
    'API requests by operation, and by status code or the reason for a missing one.',
    ['account', 'operation', 'code'],
  ),
  apiRequestDuration: {
    ...lean(
      'events',
      exporterFamily(
        'api_request_duration_seconds',
        'Time from sending an API request to the end of the response.',
        ['account', 'operation'],
      ),
    ),
    type: 'histogram',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  } satisfies HistogramFamily,
  apiResponseBytes: lean(
    'events',
    exporterFamily(
      'api_response_bytes_total',
      'Bytes of API responses as received, before decompression.',
      ['account', 'operation'],
    ),
  ),
  apiClockOffset: exporterFamily(
    'api_clock_offset_seconds',
    "The service's clock minus the exporter's, at the last response.",
    ['account'],
  ),
  pollerErrors: lean(
    'events',
    exporterFamily(
      'poller_errors_total',
      "Internal errors in the poller's loop; the loop continues.",
      ['account'],
    ),
  ),
  probeRequests: lean(
    'events',
    exporterFamily(
      'probe_requests_total',
      'Probe requests sent despite the reserve, at most one an hour, when the limits held back everything for an hour.',
      ['account'],
    ),
  ),
  series: exporterFamily('series', "Series on the page, without the exporter's own."),
  pageBytes: exporterFamily(
    'page_bytes',
    "Size of the page in the text format by encoding, without the exporter's own series.",
    ['encoding'],
  ),
  renderSeconds: lean(
    'nothing',
    exporterFamily('render_seconds', 'Duration of the last rendering of the page.'),
  ),
  storeWrites: exporterFamily(
    'store_writes_total',
    'Writes that made the state of the exporter durable.',
  ),
  storeErrors: exporterFamily('store_errors_total', 'Writes to the store that failed.'),
  storeLastWrite: lean(
    'nothing',
    exporterFamily(
      'store_last_write_timestamp_seconds',
      'UNIX time of the last write that made the state of the exporter durable.',
    ),
  ),
  storeRecordsLost: exporterFamily(
    'store_records_lost_total',
    'Stored records that could no longer be read, by the kind of their data. Their counters restart at 0.',
    ['kind'],
  ),
  storeFailing: exporterFamily(
    'store_failing',
    '1 after a write to the store failed, until one succeeds; counters stay at their last durable values. Otherwise 0.',
  ),
  configReloadSuccessful: exporterFamily(
    'config_last_reload_successful',
    '1 when the last configuration reload succeeded, else 0.',
  ),
  configReloadSuccess: lean(
    'nothing',
    exporterFamily(
      'config_last_reload_success_timestamp_seconds',
      'UNIX time of the last successful configuration reload.',
    ),
  ),
} as const;

import { describe, expect, it } from 'vitest';
import { apiErrorReasons } from '../../../src/api/errors.ts';
import type { AccountView } from '../../../src/exposition/catalogue/family.ts';
import { ServedFamilies } from '../../../src/exposition/catalogue/served-families.ts';
import { ExporterMetrics } from '../../../src/exposition/self-metrics/exporter-metrics.ts';
import { type ParsedFamily, parseExposition } from '../../support/openmetrics-parser.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { freshPage } from '../support/rendering.ts';
import { aSnapshot, aView } from '../support/snapshots.ts';

const startSeconds = 1_767_614_400;

function someMetrics(accounts: readonly AccountView[] = [aView()], served = ServedFamilies.full) {
  return new ExporterMetrics({
    build: { version: '1.2.3' },
    accounts: () => accounts,
    clock: new VirtualClock(startSeconds * 1000),
    served,
  });
}

async function read(metrics: ExporterMetrics): Promise<ParsedFamily[]> {
  return parseExposition(`${await metrics.text('openmetrics')}# EOF\n`, 'openmetrics');
}

/** Values of a family keyed by its labels, written `a,b`. */
async function values(metrics: ExporterMetrics, name: string): Promise<Record<string, number>> {
  const family = (await read(metrics)).find((candidate) => candidate.name === name);
  const entries = family?.samples.map(({ labels, value }) => [Object.values(labels).join(), value]);
  return Object.fromEntries(entries ?? []);
}

describe('ExporterMetrics', () => {
  it('begins counters that no rule reads at their first event in lean, first as 0', async () => {
    const metrics = someMetrics(undefined, ServedFamilies.lean);
    const attempt = { account: 'main', operation: 'checks', code: '200' } as const;

    expect(await values(metrics, 'uptime_exporter_dataset_errors')).toEqual({});
    expect(await values(metrics, 'uptime_exporter_api_request_duration_seconds')).toEqual({});
    expect(Object.keys(await values(metrics, 'uptime_exporter_rejected_entries'))).not.toEqual([]);

    metrics.datasetFailed('main', 'checks', 'timeout');
    metrics.attempted({ ...attempt, durationSeconds: 0.2, responseBytes: 100 });

    expect(await values(metrics, 'uptime_exporter_dataset_errors')).toEqual({
      'main,checks,timeout': 0,
    });
    expect(await values(metrics, 'uptime_exporter_api_request_duration_seconds')).toMatchObject({
      'main,checks,+Inf': 1,
    });
  });

  it('starts every known reason at 0 for each account', async () => {
    const datasets = { ...aSnapshot().datasets, detail: { stale: false } };
    const metrics = someMetrics(
      ['one', 'two'].map((account) => aView(aSnapshot({ account, datasets }))),
    );

    const errors = await values(metrics, 'uptime_exporter_dataset_errors');
    const rejected = await values(metrics, 'uptime_exporter_rejected_entries');

    const reasons = Object.keys(apiErrorReasons);
    expect(Object.keys(errors)).toHaveLength(2 * 3 * reasons.length);
    expect(errors['two,credits,timeout']).toBe(0);
    expect(errors['two,detail,timeout']).toBe(0);
    expect(rejected).toEqual({
      'one,checks,shape': 0,
      'one,checks,duplicate': 0,
      'one,checks,overlap': 0,
      'one,checks,unknown_word': 0,
      'two,checks,shape': 0,
      'two,checks,duplicate': 0,
      'two,checks,overlap': 0,
      'two,checks,unknown_word': 0,
    });
  });

  it('counts failures and rejected entries', async () => {
    const metrics = someMetrics();

    metrics.datasetFailed('main', 'checks', 'timeout');
    metrics.datasetFailed('main', 'checks', 'timeout');
    metrics.rejected('main', 'checks', 'shape', 3);

    const errors = await values(metrics, 'uptime_exporter_dataset_errors');
    const rejected = await values(metrics, 'uptime_exporter_rejected_entries');
    expect(errors['main,checks,timeout']).toBe(2);
    expect(errors['main,credits,timeout']).toBe(0);
    expect(rejected['main,checks,shape']).toBe(3);
  });

  it('records requests by operation and code, with their duration and size', async () => {
    const metrics = someMetrics();
    const request = { account: 'main', operation: 'checks', responseBytes: 100 };

    metrics.attempted({ ...request, code: '200', durationSeconds: 0.2 });
    metrics.attempted({ ...request, code: 'timeout', durationSeconds: 90, responseBytes: 0 });

    expect(await values(metrics, 'uptime_exporter_api_requests')).toMatchObject({
      'main,checks,200': 1,
      'main,checks,timeout': 1,
    });
    expect(await values(metrics, 'uptime_exporter_api_response_bytes')).toMatchObject({
      'main,checks': 100,
      'main,list_checks': 0,
    });
    const durations = (await read(metrics))
      .find(({ name }) => name === 'uptime_exporter_api_request_duration_seconds')
      ?.samples.filter(({ labels }) => labels.operation === 'checks');
    const buckets = durations?.map(({ labels, value }) => [labels.le, value]);
    expect(buckets).toContainEqual(['0.1', 0]);
    expect(buckets).toContainEqual(['0.25', 1]);
    expect(buckets).toContainEqual(['60.0', 1]);
    expect(buckets).toContainEqual(['+Inf', 2]);
    expect(durations?.find(({ name }) => name.endsWith('_sum'))?.value).toBe(90.2);
  });

  it('shows how each dataset is doing', async () => {
    const datasets = {
      checks: {
        intervalSeconds: 60,
        stale: false,
        items: 7,
        lastAttemptAtSeconds: 200,
        lastSuccessAtSeconds: 100,
      },
      credits: { intervalSeconds: 900, stale: true },
    };
    const metrics = someMetrics([aView(aSnapshot({ datasets }))]);

    const of = (suffix: string) => values(metrics, `uptime_exporter_dataset_${suffix}`);
    expect(await of('last_success_timestamp_seconds')).toEqual({ 'main,checks': 100 });
    expect(await of('last_attempt_timestamp_seconds')).toEqual({ 'main,checks': 200 });
    expect(await of('interval_seconds')).toEqual({ 'main,checks': 60, 'main,credits': 900 });
    expect(await of('items')).toEqual({ 'main,checks': 7 });
    expect(await of('stale')).toEqual({ 'main,checks': 0, 'main,credits': 1 });
  });

  it('starts requests that work at 0, for the operations that the version of the API has', async () => {
    const metrics = someMetrics([
      aView(aSnapshot({ account: 'new' })),
      aView(aSnapshot({ account: 'old', apiVersion: '2.0' })),
    ]);

    const requests = await values(metrics, 'uptime_exporter_api_requests');

    expect(requests).toMatchObject({ 'new,list_checks,200': 0, 'new,list_transactions,200': 0 });
    expect(requests).toMatchObject({ 'old,list_checks,200': 0, 'old,get_server_time,200': 0 });
    expect(requests).not.toHaveProperty(['old,list_transactions,200']);
  });

  it('starts the counters of a dataset once it is refreshed, and no other', async () => {
    const accounts = [aView()];
    const metrics = someMetrics(accounts);
    await metrics.text('text');
    const { datasets } = aSnapshot();
    accounts[0] = aView(aSnapshot({ datasets: { ...datasets, results: { stale: true } } }));

    const errors = Object.keys(await values(metrics, 'uptime_exporter_dataset_errors'));

    expect(errors).toContain('main,results,timeout');
    expect(errors).not.toContain('main,average,timeout');
  });

  it('shows how much of the past is to be read, and until when', async () => {
    const firstSight = { pastsLeft: 133, pausesLeft: 0, isRead: true, doneInSeconds: 1_800 };
    const unread = 'uptime_exporter_unread_past_checks';
    const readAt = 'uptime_exporter_past_read_timestamp_seconds';
    const reading = someMetrics([{ ...aView(), firstSight }]);
    const done = someMetrics();

    expect(await values(reading, unread)).toEqual({ main: 133 });
    expect((await values(reading, readAt)).main).toBeGreaterThan(1_800);
    expect(await values(done, unread)).toEqual({ main: 0 });
    expect(await values(done, readAt)).toEqual({});
  });

  it('counts what was written to the store, and knows no last write before the first', async () => {
    const metrics = someMetrics();

    metrics.storeFailed();

    const lastWrite = 'uptime_exporter_store_last_write_timestamp_seconds';
    expect(await values(metrics, 'uptime_exporter_store_errors')).toEqual({ '': 1 });
    expect(await values(metrics, 'uptime_exporter_store_writes')).toEqual({ '': 0 });
    expect(await values(metrics, lastWrite)).toEqual({});
    metrics.storeWritten();
    expect(await values(metrics, 'uptime_exporter_store_writes')).toEqual({ '': 1 });
    expect(await values(metrics, lastWrite)).toEqual({ '': startSeconds });
  });

  it('shows the build and the size of the page', async () => {
    const metrics = someMetrics();

    metrics.rendered(await freshPage(aSnapshot()));

    expect(await values(metrics, 'uptime_exporter_build_info')).toEqual({ '1.2.3,,': 1 });
    expect(await values(metrics, 'uptime_exporter_series')).toEqual({ '': 2 });
    expect(Object.keys(await values(metrics, 'uptime_exporter_page_bytes'))).toEqual([
      'identity',
      'gzip',
    ]);
  });

  it('has the metrics of the process, and none under a name or label that is refused', async () => {
    const families = await read(someMetrics());

    const names = families.map(({ name }) => name);
    expect(names).toContain('process_resident_memory_bytes');
    expect(names).toContain('nodejs_heap_size_used_bytes');
    const labels = families.flatMap(({ samples }) => samples.flatMap((s) => Object.keys(s.labels)));
    expect(labels).not.toContain('type');
  });
});

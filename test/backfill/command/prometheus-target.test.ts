import { expect, test } from 'vitest';
import { PrometheusTarget } from '../../../src/backfill/command/prometheus-target.ts';
import { pastItemSchema } from '../../../src/backfill/series/past-item.ts';
import type { RetryingClient } from '../../../src/remote/retrying-client.ts';

const firstSeenSeconds = 1_800_000_000;
const labels = { name: 'shop' };
const item = pastItemSchema.parse({
  ...{ kind: 'check', id: 5, labels, labelsNow: labels, maintenance: [], firstSeenSeconds },
});

/** A server with one sample that lists its series for any time, as VictoriaMetrics does for a day. */
function serverWith(sampleSeconds: number) {
  const json = async (_method: string, path: string) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname === '/api/v1/series')
      return { data: [{ account: 'a', check_id: '5', ...labels }] };
    const isCounted = sampleSeconds <= Number(searchParams.get('time'));
    return { data: { result: isCounted ? [{ value: [0, '1'] }] : [] } };
  };
  return { address: '', json } as unknown as RetryingClient;
}

test.each([
  [firstSeenSeconds - 0.001, true],
  [firstSeenSeconds, false],
])('a sample at %d is from before first sight: %s', async (sampleSeconds, isOlder) => {
  const target = new PrometheusTarget(serverWith(sampleSeconds), 'a');
  const { hasOlderSamples } = await target.look(item, firstSeenSeconds + 60);
  expect(hasOlderSamples).toBe(isOlder);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PastItem } from '../../../src/backfill/series/past-item.ts';

export const day = 86_400;
export const nowSeconds = Math.floor(Date.now() / 1000);
/** A whole day, four days ago. */
export const from = nowSeconds - (nowSeconds % day) - 4 * day;

/**
 * A check that was up except for two minutes and was first seen two days ago, with its reported
 * history.
 */
export function itemWith(changes: Partial<PastItem> & { readonly id: number }): PastItem {
  const firstSeenSeconds = changes.firstSeenSeconds ?? from + 2 * day + 17;
  const length = firstSeenSeconds - from;
  const labels = { name: `Check ${changes.id}` };
  return {
    kind: 'check',
    labels,
    labelsNow: labels,
    firstSeenSeconds,
    maintenance: [],
    past: {
      fromSeconds: from,
      toSeconds: firstSeenSeconds,
      states: `u7260 d120 u${length - 7380}`,
    },
    ...changes,
  };
}

export interface FakeExporter {
  readonly url: string;
  readonly requests: string[];
  /** The headers `Authorization` of all requests. */
  readonly authorizations: (string | undefined)[];
  /** The next responses have these statuses. */
  readonly failures: number[];
}

/** An exporter that looks to the command as if its job were finished. */
export async function fakeExporter(
  items: readonly PastItem[],
  accounts = ['shop'],
): Promise<FakeExporter> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const failures: number[] = [];
  const job = {
    state: 'done',
    from: '2025-01-01T00:00:00Z',
    requested_at: '2025-01-01T00:00:00Z',
    ...{
      items: items.length,
      read: items.length,
      incomplete: 0,
      refused: 0,
      gone: 0,
      waiting: 0,
      open: 0,
    },
  };
  const cost = {
    checks: items.length,
    transactions: 0,
    requests: items.length + 2,
    seconds: 7_200,
  };
  const server = createServer(({ method, url = '', headers }, response) => {
    requests.push(`${method} ${url}`);
    authorizations.push(headers.authorization);
    const failure = failures.shift();
    if (failure !== undefined) response.writeHead(failure).end('busy');
    else if (url.startsWith('/-/backfill/items')) {
      response.end(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    } else {
      response.end(
        JSON.stringify({
          accounts: accounts.map((account) => ({
            account,
            time_zone: 'UTC',
            months: [],
            job,
            cost,
          })),
        }),
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    authorizations,
    failures,
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashUnit } from '../../src/lib/random.ts';
import { CheckList, type Difference } from './check-list.ts';

/**
 * The bench's instructions for the service: the difference between lists from now on, and the limit
 * of requests.
 */
export interface ReplayOrder {
  readonly difference: Difference;
  /** Requests in an hour. */
  readonly limit: number;
}

export interface ReplayCounts {
  /** The number of requests. */
  readonly lists: number;
  readonly others: number;
  /** Bytes of the last result page of a list. */
  readonly listBytes: number;
}

/**
 * A service with prepared lists, so that it uses little CPU. Usage: replay-service.js CHECKS. The
 * path of an account begins with its number, so that one process serves several accounts.
 */
const checks = Number(process.argv[2]);
const lists = new Map<string, CheckList>();
let order: ReplayOrder = { difference: 'all', limit: 11_600 };
const counts = { lists: 0, others: 0, listBytes: 0 };

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://service');
  const [, account = '', path = ''] = /^\/(\d+)\/api\/3\.1\/(.*)$/.exec(url.pathname) ?? [];
  response.setHeader('Req-Limit-Short', `Remaining: ${order.limit} Time until reset: 3600`);
  response.setHeader('Req-Limit-Long', `Remaining: ${order.limit * 180} Time until reset: 2592000`);
  response.setHeader('Content-Type', 'application/json');
  response.end(path === 'checks' ? list(account, url.searchParams) : answer(path));
});

function list(account: string, query: URLSearchParams): string {
  const offset = Number(query.get('offset') ?? 0);
  const known = lists.get(account);
  const current = known ?? new CheckList(checks, seconds());
  if (known === undefined) lists.set(account, current);
  else if (offset === 0) current.advance(order.difference, seconds());
  if (offset === 0) counts.lists++;
  const body = current.body(offset, Number(query.get('limit') ?? 25_000));
  counts.listBytes = body.length;
  return body;
}

/** Ten results of a check, one a minute. All other reports are empty. */
function answer(path: string): string {
  counts.others++;
  const id = Number(/^results\/(\d+)$/.exec(path)?.[1]);
  if (Number.isNaN(id)) return '{}';
  const now = seconds();
  const results = Array.from({ length: 10 }, (_, index) => ({
    probeid: 30 + index,
    time: now - 60 * index - 5,
    status: 'up',
    responsetime: Math.floor(hashUnit(id, now, index) * 2000),
    statusdesc: 'OK',
    statusdesclong: 'OK',
  }));
  return JSON.stringify({ activeprobes: [30], results });
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
process.on('message', (message) => {
  if (!(message instanceof Object)) return;
  order = message as ReplayOrder;
  process.send?.({ ...counts } satisfies ReplayCounts);
});
process.send?.({ port });

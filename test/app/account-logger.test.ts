import { expect, test } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../src/api/errors.ts';
import type { RejectedEntry } from '../../src/api/service.ts';
import { AccountLogger } from '../../src/app/account-logger.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Plan } from '../../src/schedule/plan.ts';
import type { RefreshTask } from '../../src/schedule/refresh-task.ts';
import type { ListedItem } from '../../src/state/leaving.ts';
import { StoreError } from '../../src/store/store-error.ts';

function setUp(apiVersion: ApiVersion = '3.1') {
  const lines: string[] = [];
  const facts: object[] = [];
  const details: string[] = [];
  const at = (level: string) => (told: object, message: string) => {
    if (level === 'debug') {
      details.push(message);
      return;
    }
    lines.push(`${level}: ${message}`);
    facts.push(told);
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  let size: number | undefined = 0;
  const removed = new Set<number>();
  const accountLog = new AccountLogger({
    log,
    account: 'shop',
    apiVersion,
    clock: { monotonic: () => 0 },
    serviceClock: { offsetSeconds: 0 },
    state: {
      checks: { has: (id) => !removed.has(id) },
      transactions: { has: () => true },
      datasets: { itemsIn: () => size },
      counting: {},
    },
  });
  const refreshed = (
    item: RefreshTask,
    items: number | undefined,
    rejected: readonly RejectedEntry[],
  ) => {
    size = items;
    accountLog.refreshed(item, rejected);
  };
  return { accountLog, refreshed, removed, lines, facts, details };
}

const checks = { dataset: 'checks', id: 'account' } as const;
const resultsOf = (id: number) => ({ dataset: 'results', id }) as const;
const malformed = (detail: string) => [{ reason: 'shape', detail }] as const;

function failure(reason: ApiErrorReason): ApiError {
  return new ApiError({ reason, operation: 'list_checks', message: 'failed' });
}

test('each record that is lost is logged', () => {
  const { accountLog, lines, facts } = setUp();
  const records = [
    { kind: 'check', name: '1', reason: 'corrupt' },
    { kind: 'document', name: 'budget', reason: 'missing' },
  ] as const;
  accountLog.recordsLost(records);

  expect(facts).toEqual(records.map((record) => ({ account: 'shop', ...record })));
  expect(lines).toHaveLength(2);
});

test('a run of failures is two lines, its beginning and its end', () => {
  const { accountLog, refreshed, lines } = setUp();
  refreshed(checks, 3, []);
  for (let times = 0; times < 5; times++) accountLog.failed(checks, failure('timeout'));
  refreshed(checks, 3, []);
  refreshed(checks, 3, []);
  expect(lines).toEqual([
    'info: first refresh succeeded',
    'warn: refresh failed; serving the last data',
    'info: refresh recovered',
  ]);
});

test('a refresh that is no news is a detail', () => {
  const { accountLog, refreshed, details } = setUp();
  refreshed(checks, 3, []);
  refreshed(checks, 3, []);
  expect(details).toEqual(['refreshed']);

  accountLog.failed(checks, failure('timeout'));
  accountLog.failed(checks, failure('timeout'));
  refreshed(checks, 3, []);
  expect(details).toEqual(['refreshed', 'refresh failed again']);
});

test('each type of check that is not known is told once', () => {
  const { accountLog, facts } = setUp();
  for (const type of ['browser', 'browser', 'robot']) accountLog.typeNotKnown(type, 7);
  expect(facts).toMatchObject([{ type: 'browser', id: 7 }, { type: 'robot' }]);
});

test('a refresh that requested nothing, because nothing can be read yet, is no success', () => {
  const { refreshed, lines } = setUp();
  const alerts = { dataset: 'actions', id: 'account' } as const;
  refreshed(alerts, undefined, []);
  expect(lines).toEqual([]);
  refreshed(alerts, 3, []);
  expect(lines).toEqual(['info: first refresh succeeded']);
});

test('a failure before any success does not claim that data are served', () => {
  const { accountLog, refreshed, lines } = setUp();
  accountLog.failed(checks, failure('dns'));
  refreshed(checks, 3, []);
  accountLog.failed(checks, failure('dns'));
  expect(lines).toEqual([
    'warn: refresh failed; none has succeeded since the start',
    'info: refresh recovered',
    'info: first refresh succeeded',
    'warn: refresh failed; serving the last data',
  ]);
});

test('another reason is another line', () => {
  const { accountLog, lines } = setUp();
  accountLog.failed(checks, failure('timeout'));
  accountLog.failed(checks, failure('unauthorized'));
  expect(lines).toHaveLength(2);
});

test('omitted entries are logged when they change', () => {
  const { refreshed, lines } = setUp();
  const rejected = [{ reason: 'shape', detail: 'entry 3: no id' }] as const;
  refreshed(checks, 3, rejected);
  refreshed(checks, 3, rejected);
  refreshed(checks, 3, []);
  expect(lines).toEqual([
    'info: first refresh succeeded',
    'warn: entries rejected',
    'info: all entries decoded again',
  ]);
});

test.each([
  ['3.1', 'unauthorized', 'Check or renew it.', /application key/],
  ['2.1', 'unauthorized', 'Check e-mail address, password and application key.', /token/],
  ['2.0', 'forbidden', 'Check the permissions of the user.', /token/],
] as const)(
  'API %s: the remedy of %s names the credentials of the version',
  (version, reason, remedy, other) => {
    const { accountLog, facts } = setUp(version);
    accountLog.failed(checks, failure(reason));
    const [{ advice } = { advice: '' }] = facts as { advice: string }[];
    expect(advice).toContain(remedy);
    expect(advice).not.toMatch(other);
  },
);

test('a check that keeps failing among others is logged once, and its recovery once', () => {
  const { accountLog, refreshed, lines, facts } = setUp();
  for (let round = 0; round < 3; round++) {
    for (const id of [1, 3]) refreshed(resultsOf(id), 3, []);
    accountLog.failed(resultsOf(2), failure('not_found'));
  }
  for (const id of [1, 2, 3]) refreshed(resultsOf(id), 3, []);
  expect(lines).toEqual([
    'info: first refresh succeeded',
    'warn: refresh failed; serving the last data',
    'info: refresh recovered',
  ]);
  expect(facts.slice(1)).toMatchObject([
    { account: 'shop', dataset: 'results', id: 2, reason: 'not_found' },
    { account: 'shop', dataset: 'results', reason: 'not_found' },
  ]);
});

test('a failure of all checks is logged when it begins, and when the last of them has recovered', () => {
  const { accountLog, refreshed, lines } = setUp();
  const ids = Array.from({ length: 25_000 }, (_, n) => n + 1);
  for (const id of ids) refreshed(resultsOf(id), ids.length, []);
  for (const id of ids) accountLog.failed(resultsOf(id), failure('timeout'));
  for (const id of ids) refreshed(resultsOf(id), ids.length, []);
  expect(lines).toEqual([
    'info: first refresh succeeded',
    'warn: refresh failed; serving the last data',
    'info: refresh recovered',
  ]);
});

test('a check that stays bad hides no other failure of the dataset', () => {
  const { accountLog, refreshed, facts } = setUp();
  accountLog.failed(resultsOf(1), failure('not_found'));
  for (let round = 0; round < 2; round++) {
    accountLog.failed(resultsOf(2), failure('timeout'));
    refreshed(resultsOf(2), 2, []);
  }
  expect(facts).toMatchObject([
    { id: 1, reason: 'not_found' },
    { id: 2, reason: 'timeout' },
    { reason: 'timeout' },
    { items: 2 },
    { id: 2, reason: 'timeout' },
    { reason: 'timeout' },
  ]);
});

test('entries of one check that are always omitted are logged once', () => {
  const { refreshed, lines, facts } = setUp();
  for (let round = 0; round < 3; round++) {
    refreshed(resultsOf(1), 2, []);
    refreshed(resultsOf(2), 2, malformed(`entry ${round}: no time`));
  }
  refreshed(resultsOf(2), 2, []);
  expect(lines).toEqual([
    'info: first refresh succeeded',
    'warn: entries rejected',
    'info: all entries decoded again',
  ]);
  expect(facts[1]).toMatchObject({ id: 2, reason: 'shape', details: 'entry 0: no time' });
});

test('a removed check fails no more', () => {
  const { accountLog, refreshed, removed, lines } = setUp();
  refreshed(checks, 3, []);
  refreshed(resultsOf(2), 3, malformed('entry 3: no time'));
  accountLog.failed(resultsOf(1), failure('not_found'));
  accountLog.failed(resultsOf(3), failure('timeout'));
  lines.length = 0;

  for (const id of [1, 2]) removed.add(id);
  refreshed(checks, 1, []);

  expect(lines).toEqual(['info: refresh recovered', 'info: all entries decoded again']);
  accountLog.failed(resultsOf(3), failure('timeout'));
  expect(lines).toHaveLength(2);
});

test('a failing store is an error once, until it works again', () => {
  const { accountLog, lines } = setUp();
  accountLog.stored();
  accountLog.storeFailed(new StoreError('fenced', 'the account shop belongs to nobody'));
  accountLog.storeFailed(new StoreError('full', 'no space left'));
  accountLog.storeFailed(new StoreError('full', 'no space left'));
  accountLog.stored();
  accountLog.stored();
  expect(lines).toEqual([
    'error: store write failed; counters are paused until it recovers',
    'info: store recovered',
  ]);
});

test('a new plan is one short line, with the interval of the check list', () => {
  const { accountLog, lines, facts } = setUp();
  const names = ['checks', 'transactions', 'maintenance', 'results'] as const;
  const datasets = names.map((name) => ({
    name,
    cost: 1,
    items: 1,
    requestsPerSecond: 0.01,
    missingPerSecond: 0,
    intervalSeconds: 90.4,
    floorSeconds: 60,
    ceilingSeconds: 3_600,
    overCeiling: false,
  }));
  const rates = { requestsPerSecond: 0.05, spareRequestsPerSecond: 0, demandPerSecond: 0.05 };
  accountLog.planChanged({ datasets, ...rates } as unknown as Plan);

  expect(lines).toEqual(['info: plan changed']);
  expect(facts).toEqual([{ account: 'shop', requests_per_hour: 180, list_seconds: 90 }]);
});

test('a plan that reads nothing until a window resets has no interval', () => {
  const { accountLog, lines, facts } = setUp();
  const datasets = [{ name: 'checks', intervalSeconds: Number.POSITIVE_INFINITY }];
  accountLog.planChanged({ datasets, requestsPerSecond: 0, isLateNow: true } as unknown as Plan);

  expect(lines).toEqual(['warn: outages are seen late until the short window resets']);
  expect(facts).toEqual([{ account: 'shop', requests_per_hour: 0 }]);
});

test('a note about limits is logged once an hour for its window, but each decrease', () => {
  const { accountLog, lines } = setUp();
  const implausible = { kind: 'implausible', remaining: 1e9, resetSeconds: 60 } as const;
  const smaller = { kind: 'smaller', window: 'short', from: 11_600, to: 400 } as const;
  for (let times = 0; times < 2; times++) {
    accountLog.budgetNoted({ ...implausible, window: 'short' });
    accountLog.budgetNoted({ ...implausible, window: 'long' });
    accountLog.budgetNoted({ kind: 'probe', windows: ['short'] });
    accountLog.budgetNoted(smaller);
  }
  expect(lines).toEqual([
    'warn: implausible rate-limit header ignored',
    'warn: implausible rate-limit header ignored',
    'warn: probe request sent after an hour without requests',
    'warn: rate limit decreased',
    'warn: rate limit decreased',
  ]);
});

test('groups beyond the limit are logged with their number, and the first with their names', () => {
  const { accountLog, lines, facts } = setUp();
  const names = Array.from({ length: 30 }, (_, place) => `team:${place + 10}`);
  accountLog.groupsLeftOut(names);
  expect(lines).toEqual(['warn: groups beyond max_groups left out']);
  expect(facts).toEqual([{ account: 'shop', groups: 30, names: names.slice(0, 20) }]);
});

test('items that are removed while down are named in one line, and others in none', () => {
  const { accountLog, lines, facts } = setUp();
  const check = (id: number, status: 'up' | 'down') =>
    ({ entry: { id, name: `check ${id}`, status } }) as unknown as ListedItem;
  const leaving = { atSeconds: 1_700_000_000, why: 'list' as const };
  accountLog.left('check', [check(1, 'down'), check(2, 'up'), check(3, 'down')], leaving);
  accountLog.left('check', [check(4, 'up')], leaving);

  expect(lines).toEqual(['warn: items removed while down; their alerts end']);
  expect(facts[0]).toEqual({
    account: 'shop',
    kind: 'check',
    why: 'list',
    count: 2,
    ids: [1, 3],
    names: ['check 1', 'check 3'],
  });
});

test('tags that are left out are logged when more items have too many', () => {
  const { accountLog, lines, facts } = setUp();
  for (const ids of [[7], [7], [7, 8], [8], [7, 8]]) {
    accountLog.tagsLeftOut('checks', new Set(ids));
  }
  expect(lines).toEqual(Array(2).fill('warn: tags beyond the first 100 left out'));
  expect(facts[1]).toEqual({ account: 'shop', dataset: 'checks', items: 2, ids: [7, 8] });
});

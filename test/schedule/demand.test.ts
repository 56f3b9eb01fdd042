import { expect, test } from 'vitest';
import { datasetNames, datasetPolicies } from '../../src/domain/dataset.ts';
import { demandsOf } from '../../src/schedule/demand.ts';

const size = { version: '3.1', checks: 20, transactions: 2 } as const;

test('every dataset has a sensible policy', () => {
  for (const name of datasetNames) {
    const policy = datasetPolicies[name];
    expect(policy.ceilingSeconds, name).toBeGreaterThanOrEqual(policy.floorSeconds);
    expect(policy.weight, name).toBeGreaterThan(0);
    expect(policy.cost, name).toBeGreaterThanOrEqual(1);
  }
});

test('a dataset is there in the versions that have what it asks for first', () => {
  expect(datasetPolicies.checks.versions).toEqual(['3.1', '2.1', '2.0']);
  expect(datasetPolicies.transaction_performance.versions).toEqual(['3.1']);
  expect(datasetPolicies.teams.versions).toEqual(['3.1', '2.1']);
  expect(datasetPolicies.account.versions).toEqual(['2.1', '2.0']);
});

test('an account of version 3.1 has one item per check, per transaction or for itself', () => {
  const items = Object.fromEntries(demandsOf(size).map((demand) => [demand.name, demand.items]));

  expect(items).toEqual({
    checks: 1,
    transactions: 1,
    outages: 20,
    results: 20,
    performance: 20,
    average: 20,
    transaction_performance: 2,
    detail: 20,
    analyses: 20,
    credits: 1,
    maintenance: 1,
    actions: 1,
    probes: 1,
    contacts: 1,
    teams: 1,
  });
});

test.each([
  ['2.1', ['maintenance', 'teams', 'account'], ['transactions', 'transaction_performance']],
  ['2.0', ['account'], ['transactions', 'transaction_performance', 'maintenance', 'teams']],
] as const)('version %s has %j and lacks %j', (version, has, lacks) => {
  const names = demandsOf({ ...size, version }).map((demand) => demand.name);

  expect(names).toEqual(expect.arrayContaining([...has]));
  for (const name of lacks) expect(names).not.toContain(name);
});

test('an account without transactions is asked once an hour whether it has got one', () => {
  const demands = demandsOf({ ...size, transactions: 0 });

  expect(demands.find(({ name }) => name === 'transactions')).toMatchObject({
    items: 1,
    cost: 1,
    floorSeconds: 3600,
    isStatus: false,
  });
  expect(demands.map(({ name }) => name)).not.toContain('transaction_performance');
});

test('transactions are read as status until the account is known to have none', () => {
  const demands = demandsOf({ ...size, transactions: 0, transactionsAreUnknown: true });

  expect(demands.find(({ name }) => name === 'transactions')).toMatchObject({
    floorSeconds: datasetPolicies.transactions.floorSeconds,
    isStatus: true,
  });
});

test.each([
  [1, 1],
  [25_000, 1],
  [25_001, 2],
  [49_999, 2],
  [50_000, 3],
])('a list of %i checks costs %i requests, as each page repeats the last entry', (checks, cost) => {
  const demands = demandsOf({ ...size, checks });

  expect(demands.find(({ name }) => name === 'checks')?.cost).toBe(cost);
});

test.each([
  ['checks', '3.1', 200, 1],
  ['checks', '2.1', 200, 1],
  ['checks', '2.0', 199, 1],
  ['checks', '2.0', 200, 2],
  ['checks', '2.0', 25_000, 2],
  ['checks', '2.0', 25_001, 2],
  ['checks', '2.0', 25_099, 3],
  ['transactions', '3.1', 50, 4],
  ['transactions', '3.1', 99, 2],
  ['transactions', '3.1', 100, 4],
  ['transactions', '3.1', 101, 3],
] as const)(
  'a list of %s of API %s whose last page has a multiple of 50 entries costs a request that confirms its end, unless it has a total: %i cost %i',
  (name, version, items, cost) => {
    const demands = demandsOf({ ...size, version, [name]: items });

    expect(demands.find((demand) => demand.name === name)?.cost).toBe(cost);
  },
);

test('transactions are not asked for more often than they run', () => {
  const floor = (shortestTransactionSeconds: number) =>
    demandsOf({ ...size, shortestTransactionSeconds }).find(({ name }) => name === 'transactions')
      ?.floorSeconds;

  expect(floor(1200)).toBe(1200);
  expect(floor(60)).toBe(300);
});

test('what tells of every check weighs more the more checks there are', () => {
  const weight = (checks: number) =>
    demandsOf({ ...size, checks }).find(({ name }) => name === 'maintenance')?.weight ?? 0;

  expect(weight(2000)).toBe(100 * weight(20));
});

test('a configuration switches datasets on and off and sets their floors', () => {
  const demands = demandsOf(size, {
    hours_of_day: { enabled: true },
    results: { enabled: false },
    credits: { floorSeconds: 1_000_000 },
  });
  const names = demands.map((demand) => demand.name);

  expect(names).toContain('hours_of_day');
  expect(names).not.toContain('results');
  expect(demands.find(({ name }) => name === 'credits')).toMatchObject({
    floorSeconds: 1_000_000,
    ceilingSeconds: 1_000_000,
  });
});

test('averages by country take one more request, results by country none', () => {
  const cost = (byCountry: boolean) =>
    demandsOf(size, { average: { byCountry }, results: { byCountry } })
      .filter(({ name }) => name === 'average' || name === 'results')
      .map((demand) => [demand.name, demand.cost]);

  expect(cost(false)).toEqual(
    expect.arrayContaining([
      ['average', 3],
      ['results', 1],
    ]),
  );
  expect(cost(true)).toEqual(
    expect.arrayContaining([
      ['average', 4],
      ['results', 1],
    ]),
  );
});

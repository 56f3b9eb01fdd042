import { expect, test } from 'vitest';
import type { FaultName } from '../../src/faults/faults.ts';
import { checksPath, creditsPath, suffering, textOf } from '../suffering.ts';

test('malformed-entries stand before all the good ones', async () => {
  const { raw, properChecks } = await suffering('malformed-entries');

  const { checks } = JSON.parse(textOf(await raw()));

  const [text, nothing, withoutId, wordId, array, ...good] = checks;
  expect(text).toBe('not an object');
  expect(nothing).toBeNull();
  expect(withoutId).not.toHaveProperty('id');
  expect(withoutId).toHaveProperty('name');
  expect(wordId.id).toBe('x');
  expect(array).toEqual([]);
  expect(good).toEqual(await properChecks());
});

test.each([
  ['an outage report', (id: number) => `summary.outage/${id}`],
  ['the report of a transaction', (id: number) => `tms/check/${id}/report/status`],
  ['the report of all transactions', () => 'tms/check/report/status'],
])('malformed-states replace every third state of %s, from the first on', async (_, path) => {
  const { raw, sandbox } = await suffering('malformed-states');
  const isOutages = path(1).startsWith('summary');
  const [item] = isOutages ? sandbox.world.checks : sandbox.world.transactions.all;
  const from = isOutages ? 1 : '2001-01-01T00:00:00Z';
  const own = `/api/3.1/${path(item?.id ?? 0)}?from=${from}`;
  const states = async (): Promise<readonly Record<string, unknown>[]> => {
    const { summary, report } = JSON.parse(textOf(await raw(own)));
    return (summary ?? [report].flat()[0]).states;
  };
  const [start, end] = isOutages ? (['timefrom', 'timeto'] as const) : (['from', 'to'] as const);

  const spoilt = await states();
  sandbox.faults.clear();
  const good = await states();

  expect(good.length).toBeGreaterThan(isOutages ? 10 : 2);
  const { [start]: _start, ...withoutStart } = good[0] ?? {};
  const expected = good.map((state, position) => {
    if (position === 0) return withoutStart;
    if (position === 3) return 'not an object';
    if (position === 6) return { ...state, [end]: 'later' };
    return position === 9 ? null : state;
  });
  expect(spoilt.slice(0, 12)).toEqual(expected.slice(0, 12));
});

test('no-states and down-states-only leave out states of reports, and nothing else', async () => {
  const { raw, sandbox } = await suffering('no-states');
  const [check] = sandbox.world.checks;
  const { id = 0, created = 0 } = check ?? {};
  const downFrom = created + 3_600;
  sandbox.world.plant({ checkId: id, status: 'down', from: downFrom, to: downFrom + 3_600 });
  const states = async (): Promise<readonly { readonly status: string }[]> =>
    JSON.parse(textOf(await raw(`/api/3.1/summary.outage/${id}?from=${created}`))).summary.states;

  expect(await states()).toEqual([]);
  sandbox.faults.clear();
  const good = await states();
  sandbox.faults.inject({ kind: 'down-states-only' });
  const down = good.filter(({ status }) => status.toLowerCase() === 'down');

  expect(down.length).toBeGreaterThan(0);
  expect(await states()).toEqual(down);
});

test('unusual-entries can all be read', async () => {
  const { raw, properChecks } = await suffering('unusual-entries');

  const { checks } = JSON.parse(textOf(await raw(`${checksPath}?include_severity=true`)));
  const proper = await properChecks();

  expect(checks).toHaveLength(24);
  expect(checks[0].id).toBe(String(proper[0]?.id));
  expect(checks[1]).toMatchObject({ id: proper[1]?.id, hostname: null, lasterrortime: null });
  expect(checks[2]).toMatchObject({ id: proper[2]?.id, alert_policy: 17 });
  expect(checks[3]).toMatchObject({ id: proper[3]?.id, status: 'weird' });
  expect(checks[4]).toMatchObject({ id: proper[4]?.id, type: 'newtype' });
  expect(checks[5]).toMatchObject({ id: proper[5]?.id, severity_level: 'HIGH' });
  expect(checks[5]).not.toHaveProperty('severity');
  expect(checks[6]).toMatchObject({ id: proper[6]?.id, severity: expect.any(String) });
});

test('duplicate-entry repeats the first entry at the end', async () => {
  const { raw, properChecks } = await suffering('duplicate-entry');

  const { checks } = JSON.parse(textOf(await raw()));
  const proper = await properChecks();

  expect(checks).toEqual([...proper, proper[0]]);
});

test('faults of check lists and reports leave other responses as they are', async () => {
  for (const kind of [
    'malformed-entries',
    'malformed-states',
    'unusual-entries',
    'duplicate-entry',
  ] as const) {
    const { raw } = await suffering(kind);

    expect(JSON.parse(textOf(await raw(creditsPath))).credits.useddefault).toBe(24);
  }
});

test.each<[FaultName, string, string]>([
  [
    'malformed-limit-headers',
    'Req-Limit-Short: Remaining: many Time until reset: soon',
    'Req-Limit-Long: unlimited',
  ],
  [
    'mixed-case-limit-headers',
    'rEQ-lIMIT-sHORT: Remaining: 399 Time until reset: 3600',
    'REQ-LIMIT-LONG: Remaining: 71999 Time until reset: 2592000',
  ],
  [
    'dotted-limit-headers',
    'req-limit.short: Remaining: 399 Time until reset: 3600',
    'req-limit.long: Remaining: 71999 Time until reset: 2592000',
  ],
  [
    'absurd-limit-remaining',
    'Req-Limit-Short: Remaining: 1000000000 Time until reset: 3600',
    'Req-Limit-Long: Remaining: 1000000000 Time until reset: 2592000',
  ],
  [
    'absurd-limit-reset',
    'Req-Limit-Short: Remaining: 399 Time until reset: 31017600',
    'Req-Limit-Long: Remaining: 71999 Time until reset: 31017600',
  ],
  [
    'nothing-left-limit-headers',
    'Req-Limit-Short: Remaining: 0 Time until reset: 3600',
    'Req-Limit-Long: Remaining: 0 Time until reset: 2592000',
  ],
])('%s sends just those', async (kind, short, long) => {
  const { raw, properChecks } = await suffering(kind);

  const reply = await raw();

  const limits = reply.head.split('\r\n').filter((line) => /^req-limit/i.test(line));
  expect(limits.toSorted()).toEqual([short, long].toSorted());
  expect(JSON.parse(textOf(reply)).checks).toEqual(await properChecks());
});

test('no-limit-headers sends none', async () => {
  const { raw, properChecks } = await suffering('no-limit-headers');

  const reply = await raw();

  expect(reply.head).not.toMatch(/req-limit/i);
  expect(JSON.parse(textOf(reply)).checks).toEqual(await properChecks());
});

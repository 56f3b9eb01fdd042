import { describe, expect, test } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import { errorBudget } from '../../src/slo/error-budget.ts';
import { groupRow } from '../../src/slo/groups.ts';
import { ratioOfTag } from '../../src/slo/objectives.ts';
import { read } from '../config/support.ts';

const tags = (...names: string[]) => names.map((name) => ({ name, source: 'user' as const }));

describe('which objective applies', () => {
  const { objectives } = sloPolicyOf({
    default: 0.99,
    rules: [
      { ratio: 0.95, tags: ['staging*'] },
      { ratio: 0.9995, names: ['shop-*'], groups: ['team:*'] },
      { ratio: 0.9999, ids: [7] },
      { ratio: 0.5, ids: [7] },
    ],
  });

  test.each([
    [{ id: 1, name: 'blog', tags: [] }, 0.99, 'default'],
    [{ id: 1, name: 'blog', tags: tags('staging-2') }, 0.95, 'rule 1, tag staging*'],
    [{ id: 1, name: 'blog', tags: tags('staging', 'slo-99-95') }, 0.9995, 'tag slo-99-95'],
    [{ id: 1, name: 'shop-1', tags: tags('slo-99') }, 0.9995, 'rule 2, name shop-*'],
    [{ id: 7, name: 'blog', tags: tags('uptime_slo_999') }, 0.9999, 'rule 3, id 7'],
  ])('%o: %d', (subject, ratio, reason) => {
    expect(objectives.of(subject)).toEqual({ ratio, reason });
  });

  test('is described for checks and transactions, and apart for groups', () => {
    expect(objectives.describe()).toEqual([
      '0.9995: rule 2, names shop-*',
      '0.9999: rule 3, ids 7',
      '0.5: rule 4, ids 7',
      'a tag such as slo-99-95 or uptime_slo_9995',
      '0.95: rule 1, tags staging*',
      '0.99: default',
    ]);
    expect(objectives.describeForGroups()).toEqual([
      '0.9995: rule 2, groups team:*',
      '0.99: default',
    ]);
    expect(sloPolicyOf().objectives.describeForGroups()).toEqual([]);
  });

  test('a group has a rule of its own or the default', () => {
    expect(objectives.ofGroup('team:a').ratio).toBe(0.9995);
    expect(objectives.ofGroup('other').ratio).toBe(0.99);
  });

  test('a tag that makes no sense is reported and ignored', () => {
    const told: string[] = [];
    const subject = { id: 1, name: 'blog', tags: tags('slo-100', 'uptime_slo_x', 'slo-99-9') };
    expect(objectives.of(subject, (tag) => told.push(tag)).ratio).toBe(0.999);
    expect(told).toEqual(['slo-100', 'uptime_slo_x']);
  });

  test.each([
    ['slo-99-95', 0.9995],
    ['slo-99', 0.99],
    ['slo-99-999', 0.99999],
    ['uptime_slo_9995', 0.9995],
    ['uptime_slo_99', 0.99],
    ['slo-100', 'invalid'],
    ['slo-', 'invalid'],
    ['slo-9-5', 'invalid'],
    ['uptime_slo_100', 'invalid'],
    ['uptime_slo_1', 'invalid'],
    ['slo-50', 0.5],
    ['slo-49', 'invalid'],
    ['slow', undefined],
    ['team:slo', undefined],
  ])('the tag %s is %s', (tag, ratio) => {
    expect(ratioOfTag(tag)).toBe(ratio);
  });
});

describe('objectives of a configuration', () => {
  const account = 'accounts: [{ name: shop, base_url: "https://api.example.com", token: abc }]\n';

  test.each(['1', '1.5', '0', '-1', '"0.99"'])('%s is refused', (ratio) => {
    expect(() => read(`${account}objectives: { default: ${ratio} }\n`)).toThrow(
      'a number above 0 and below 1',
    );
  });

  test('a rule that selects nothing is refused', () => {
    expect(() => read(`${account}objectives: { rules: [{ ratio: 0.99 }] }\n`)).toThrow(
      'rules[0]: matches nothing; give it ids, names, tags or groups',
    );
  });

  test('are those of the file', () => {
    const { slo } = read(`${account}objectives: { default: 0.95 }\n`);
    expect(slo.objectives.of({ id: 1, name: 'a', tags: [] }).ratio).toBe(0.95);
  });
});

describe('budgets', () => {
  const objective = { ratio: 0.999, reason: 'default' };

  test('a check that is three minutes old does not burn a month', () => {
    const young = { up: 0, down: 180 };
    const seconds = { '5m': young, '1h': young, '30d': young };
    const { errorRatios, burnRates, remainingRatio } = errorBudget(seconds, objective);
    expect(errorRatios['30d']).toBe(1);
    expect(burnRates['30d']).toBeCloseTo(180 / 1_296_000 / 0.001, 9);
    expect(burnRates['5m']).toBeCloseTo(1000, 6);
    expect(remainingRatio).toBeCloseTo(-999, 6);
  });

  test('the mean of a group weighs each check by its time, the worst is one check', () => {
    const member = (id: number, up: number, down: number) => ({
      id,
      status: 'up' as const,
      seconds: { '1h': { up, down }, '30d': { up, down } },
      hasOpenOutage: down > 0,
    });
    const row = groupRow('team:a', [member(1, 3600, 0), member(2, 900, 900)], objective);
    expect(row.budget.errorRatios['1h']).toBeCloseTo(900 / 5400, 12);
    expect(row.worst['1h']).toBe(0.5);
    expect(row.budget.burnRates['1h']).toBeCloseTo(900 / 5400 / 0.001, 6);
    expect(row.statuses.get('up')).toBe(2);
    expect(row.outagesOpen).toBe(1);
  });

  test('a window of a group is known when it is known of every check', () => {
    const known = { '5m': { up: 300, down: 0 }, '30d': { up: 1000, down: 10 } };
    const partly = { '5m': { up: 200, down: 100 } };
    const isUp = { status: 'up', hasOpenOutage: false } as const;
    const members = [known, partly].map((seconds, id) => ({ ...isUp, id, seconds }));
    const { budget, checkIds, unknownIds } = groupRow('team:a', members, objective);
    expect(Object.keys(budget.errorRatios)).toEqual(['5m']);
    expect(budget.remainingRatio).toBeUndefined();
    expect([checkIds, unknownIds]).toEqual([[0, 1], [1]]);
  });

  test('a check is in the groups that its tags and the named ones select', () => {
    const { groups } = sloPolicyOf(
      {},
      {
        from_tags: ['team:*'],
        named: [
          { name: 'by id', ids: [1] },
          { name: 'by name', names: ['shop-*'] },
          { name: 'by tag', tags: ['critical'] },
        ],
      },
    );
    expect(groups.of({ id: 2, name: 'blog', tags: [] })).toEqual([]);
    expect(groups.of({ id: 2, name: 'blog', tags: tags('team:a', 'lab') })).toEqual(['team:a']);
    expect(groups.of({ id: 1, name: 'blog', tags: [] })).toEqual(['by id']);
    expect(groups.of({ id: 2, name: 'shop-1', tags: [] })).toEqual(['by name']);
    expect(groups.of({ id: 2, name: 'blog', tags: tags('critical') })).toEqual(['by tag']);
  });

  test('there are no more groups of an account than the configuration allows', () => {
    const { groups } = sloPolicyOf({}, { from_tags: ['team:*'], max_groups: 1 });
    expect(groups.of({ id: 1, name: 'a', tags: tags('team:a', 'other') })).toEqual(['team:a']);
    expect(groups.maxGroups).toBe(1);
  });
});

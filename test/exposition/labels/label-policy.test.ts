import { describe, expect, it } from 'vitest';
import { LabelPolicy, LabelPolicyError } from '../../../src/exposition/labels/label-policy.ts';

const namesFor = (...promote: { from: string; as?: string }[]) =>
  new LabelPolicy({ promote }).labels.map(({ name }) => name);

describe('LabelPolicy', () => {
  it('promotes nothing by default', () => {
    expect(new LabelPolicy({}).labels).toEqual([]);
  });

  it.each([
    ['hostname', undefined, 'hostname'],
    ['check_type', undefined, 'check_type'],
    ['check_type', 'protocol', 'protocol'],
    ['team:*', 'owner_team', 'owner_team'],
    ['tier-*', undefined, 'tier'],
    ['cost center=*', undefined, 'cost_center'],
    ['3rd:*', undefined, '_3rd'],
    ['équipe:*', undefined, 'equipe'],
    ['组:*', undefined, '_'],
    ['a:b:*', undefined, 'a_b'],
  ])('takes %s as %s under the name %s', (from, as, name) => {
    expect(namesFor(as === undefined ? { from } : { from, as })).toEqual([name]);
  });

  it.each([
    ...['type', 'region', 'env', 'service', 'team', 'job', 'instance', 'le', 'quantile'],
    ...['account', 'check_id', 'name', 'state', 'status', 'window', 'probe_country', 'tag'],
    ...['hostname', 'check_type', 'dataset', '__meta'],
    ...['cluster', 'replica', 'alertname', 'alertstate', 'severity', 'exported_job'],
    ...['équipe', 'team.of', 'team-of', '3rd', 'a b', ''],
  ])('refuses the name %s for a tag', (name) => {
    expect(() => namesFor({ from: 'some:*', as: name })).toThrow(LabelPolicyError);
  });

  it('refuses a check type under the name of another label', () => {
    expect(() => namesFor({ from: 'check_type', as: 'hostname' })).toThrow(
      'uptime_check_info already has a label of that name',
    );
  });

  it.each(['team', '*', 'team*', 'severity', '', ':*'])('refuses to promote %j', (from) => {
    expect(() => namesFor({ from })).toThrow(LabelPolicyError);
  });

  it.each([
    ['équipe', 'such as "as: equipe"'],
    ['team.of', 'such as "as: team_of"'],
    ['cluster', 'such as "as: owner_cluster"'],
  ])('proposes a name instead of %s', (as, proposal) => {
    expect(() => namesFor({ from: 'some:*', as })).toThrow(proposal);
  });

  it('names everything that is wrong at once, and what to do', () => {
    expect(() => {
      new LabelPolicy({
        promote: [{ from: 'team:*' }, { from: 'a:*' }, { from: 'a-*' }, { from: 'id' }],
      });
    }).toThrow(
      'promoted labels: "team:*": the label "team" is not possible: it clashes with a label that ' +
        'scrape targets have; give it another name with as, such as "as: owner_team"; ' +
        '"a-*": another label is already named a; give this one another name with as; ' +
        '"id": only hostname, check_type, and tags by a key and *, such as team:*, can be promoted',
    );
  });
});

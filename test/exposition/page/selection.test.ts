import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { pageParts } from '../../../src/exposition/page/selection.ts';
import { parseExposition } from '../../support/openmetrics-parser.ts';
import { anExposition, textOf } from '../support/exposing.ts';
import { aSnapshot, fullSnapshot } from '../support/snapshots.ts';

const snapshots = [fullSnapshot({ account: 'one' }), fullSnapshot({ account: 'two' })];

async function exposed(selection: Parameters<ReturnType<typeof anExposition>['read']>[2]) {
  const exposition = anExposition(snapshots);
  await exposition.show(snapshots);
  const text = await textOf(await exposition.read('openmetrics', 'identity', selection));
  return parseExposition(text, 'openmetrics');
}

const datasetOf = new Map(
  catalogue.flatMap(({ families }) => families.map(({ name, dataset }) => [name, dataset])),
);

function isOwn(name: string): boolean {
  return /^(uptime_exporter_|process_|nodejs_)/.test(name);
}

describe('a selection', () => {
  it('of an account has all families of that account and nothing else', async () => {
    const all = await exposed({});
    const one = await exposed({ accounts: new Set(['one']) });

    expect(one.map(({ name }) => name)).toEqual(
      all.map(({ name }) => name).filter((name) => !isOwn(name)),
    );
    for (const { name, samples } of one) {
      const before = all.find((family) => family.name === name)?.samples ?? [];
      expect(samples).toEqual(before.filter(({ labels }) => labels.account === 'one'));
    }
  });

  it('of datasets has all of their families, of every account, and nothing else', async () => {
    const all = await exposed({});
    const some = await exposed({ parts: pageParts(['results', 'credits']) });

    expect(some).toEqual(
      all.filter(({ name }) => {
        const dataset = datasetOf.get(name) ?? datasetOf.get(`${name}_total`);
        return dataset === 'results' || dataset === 'credits';
      }),
    );
    expect(some.flatMap(({ samples }) => samples).length).toBeGreaterThan(10);
  });

  it('of the exporter has what stems from no dataset', async () => {
    const names = (await exposed({ parts: pageParts(['exporter']) })).map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining(['uptime_up', 'uptime_account_info', 'uptime_exporter_series']),
    );
    expect(names.filter((name) => name.startsWith('uptime_check'))).toEqual([]);
  });

  it('of all datasets one by one is the whole page, each series once', async () => {
    const all = await exposed({});
    const parts = await Promise.all(
      ['exporter', ...new Set([...datasetOf.values()].filter((name) => name !== undefined))].map(
        (name) => exposed({ parts: pageParts([name]) }),
      ),
    );

    const series = (families: typeof all) =>
      families.flatMap(({ samples }) =>
        samples.map(({ name, labels }) => JSON.stringify([name, labels])),
      );
    expect(series(parts.flat()).sort()).toEqual(series(all).sort());
  });

  it.each([
    ['checks', 'check'],
    ['transactions', 'transaction'],
  ])('of the dataset %s has the open outages of that kind', async (dataset, kind) => {
    const families = await exposed({ parts: pageParts([dataset]) });

    const open = families.find(({ name }) => name === 'uptime_outages_open');
    expect(new Set(open?.samples.map(({ labels }) => labels.kind))).toEqual(new Set([kind]));
    expect(families.map(({ name }) => name)).toContain(`uptime_${kind}_outage_open`);
  });

  it('of a dataset and an account has what is in both', async () => {
    const both = await exposed({ accounts: new Set(['two']), parts: pageParts(['checks']) });

    const samples = both.flatMap((family) => family.samples);
    expect(new Set(samples.map(({ labels }) => labels.account))).toEqual(new Set(['two']));
    expect(both.map(({ name }) => name)).toContain('uptime_check_up');
  });

  it('of an account that there is not is refused, with those that there are', async () => {
    await expect(exposed({ accounts: new Set(['three']) })).rejects.toThrow(
      'unknown account "three": expected one of one, two',
    );
  });

  it('of an account without data yet is empty', async () => {
    const exposition = anExposition([]);
    await exposition.show([aSnapshot({ account: 'new', up: false })]);

    const selection = { accounts: new Set(['new']), parts: pageParts(['credits']) };
    const text = await textOf(await exposition.read('openmetrics', 'gzip', selection));

    expect(text).toBe('# EOF\n');
  });
});

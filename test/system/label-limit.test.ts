import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import { pastItemSchema } from '../../src/history/past-item.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { statesOnly } from '../support/states-only.ts';

const labels = () =>
  new LabelPolicy({ promote: [{ from: 'team:*', as: 'owner_team' }], maxValuesPerLabel: 1 });

/** Checks with these teams, in the order of their ids. All of them are down for two days. */
async function checksOf(...teams: readonly string[]) {
  const exporter = await RestartableExporter.create({
    ...{ checks: teams.length, transactions: 0, labels, account: { datasets: statesOnly } },
  });
  const { world } = exporter.sandbox;
  const checks = [...world.checks].sort((a, b) => a.id - b.id);
  for (const [place, { id }] of checks.entries()) {
    tag(exporter, id, teams[place] ?? '');
    const from = exporter.now - 3_600;
    world.plant({ checkId: id, status: 'down', from, to: from + 2 * 86_400 });
  }
  await exporter.start();
  await exporter.pass(600);
  return { exporter, ids: checks.map(({ id }) => id) };
}

function tag({ sandbox }: RestartableExporter, id: number, team: string): void {
  const { registry } = sandbox.world;
  const check = sandbox.world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  registry.put({ ...check, tags: [{ name: `team:${team}`, type: 'u' }] });
}

/** The value of each outage, keyed by the check and its team. */
async function outages(exporter: RestartableExporter): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const [sample, value] of await exporter.scrape()) {
    if (!sample.startsWith('uptime_check_outage_open{')) continue;
    const [, id] = /check_id="(\d+)"/.exec(sample) ?? [];
    const [, team = ''] = /owner_team="(\w*)"/.exec(sample) ?? [];
    values[`${id} ${team}`] = value;
  }
  return values;
}

describe('with a full limit of promoted values, an open outage', () => {
  test('ends under its empty label when a place becomes free, also after a restart', async () => {
    const { exporter, ids } = await checksOf('a', 'b', 'c');
    const [a, b, c] = ids;
    expect(await outages(exporter)).toEqual({ [`${a} a`]: 1, [`${b} `]: 1, [`${c} `]: 1 });

    exporter.sandbox.world.registry.remove(a ?? 0);
    await exporter.pass(600);
    const after = { [`${a} a`]: 0, [`${b} `]: 0, [`${b} b`]: 1, [`${c} `]: 1 };
    expect(await outages(exporter)).toEqual(after);
    await exporter.stop();
    await exporter.start();
    expect(await outages(exporter)).toEqual(after);

    await exporter.stop();
    await exporter.pass(86_400);
    await exporter.start();
    await exporter.pass(600);
    expect(await outages(exporter)).toEqual({ [`${b} b`]: 1, [`${c} `]: 1 });
  });

  test('ends under its label when an earlier check takes the place', async () => {
    const { exporter, ids } = await checksOf('a', 'a');
    const [first, second] = ids;
    tag(exporter, first ?? 0, 'b');
    await exporter.pass(600);

    expect(await outages(exporter)).toEqual({
      ...{ [`${first} a`]: 0, [`${first} b`]: 1 },
      ...{ [`${second} a`]: 0, [`${second} `]: 1 },
    });
  });

  test('ends under its empty label when its check is removed', async () => {
    const { exporter, ids } = await checksOf('a', 'b');
    const [a, b] = ids;
    exporter.sandbox.world.registry.remove(b ?? 0);
    await exporter.pass(600);

    expect(await outages(exporter)).toEqual({ [`${a} a`]: 1, [`${b} `]: 0 });
  });
});

test('the history of a check has the labels of its live series, also beyond the limit', async () => {
  const { exporter, ids } = await checksOf('a', 'b');
  await exporter.pass(3_600);
  const begin = `${exporter.url}/-/backfill?from=${exporter.now - 7 * 86_400}`;
  await request(begin, { method: 'POST' });
  const { body } = await request(`${exporter.url}/-/backfill/items`);
  const items = (await body.text()).trimEnd().split('\n');

  const teams = items.map((line) => {
    const { id, labels: first, labelsNow } = pastItemSchema.parse(JSON.parse(line));
    return [id, first.owner_team, labelsNow?.owner_team];
  });
  expect(teams).toEqual([
    [ids[0], 'a', 'a'],
    [ids[1], '', ''],
  ]);
});

import { expect, test } from 'vitest';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import { Secret } from '../../src/lib/secret.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { RestartableExporter, type RestartableOptions } from '../support/restartable-exporter.ts';

const [minute, hour] = [60, 3_600];
const wrongToken = { authentication: bearerToken(new Secret('wrong')) };

/**
 * An exporter with a check that is tested every minute and down in the given minutes, and with
 * others that stay up.
 */
async function create(
  down: readonly (readonly [fromMinute: number, toMinute: number])[],
  options: RestartableOptions = {},
) {
  const exporter = await RestartableExporter.create({
    checks: 3,
    transactions: 0,
    // The reason of a refusal is that of the test.
    wire: { errorBodies: 'api', stray401: 0, stray403: 0 },
    ...options,
  });
  const { now, sandbox } = exporter;
  const { world } = sandbox;
  for (const check of world.checks) {
    const run = { from: check.created, resolutionSeconds: minute, phaseSeconds: 13 };
    world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
    const span = { checkId: check.id, from: now - 30 * 24 * hour, to: now + 90 * 24 * hour };
    world.plant({ ...span, status: 'up' });
  }
  const [check] = world.checks;
  if (check === undefined) throw new Error('the sandbox has no checks');
  for (const [from, to] of down) {
    const [fromSeconds, toSeconds] = [now + from * minute, now + to * minute];
    world.plant({ checkId: check.id, status: 'down', from: fromSeconds, to: toSeconds });
  }
  const until = (atMinute: number) => exporter.pass(now + atMinute * minute - exporter.now);
  /** The lines of a family about the check or without a check, as labels and value. */
  const lines = async (family: string) =>
    (await exporter.page())
      .split('\n')
      .filter((line) => line.startsWith(`${family}{`))
      .filter((line) => !line.includes('check_id="') || line.includes(`check_id="${check.id}"`))
      .map((line) => line.slice(family.length));
  const value = async (family: string) => {
    const found = (await lines(family)).map((line) => Number(/ (\S+)$/.exec(line)?.[1]));
    expect(found.length).toBeLessThan(2);
    return found[0];
  };
  return { exporter, check, began: now, until, lines, value };
}

test('a check flaps from its third outage on until it has been up for 30 minutes, whatever happens to the exporter', async () => {
  const flaps = [2, 15, 28].map((from) => [from, from + 5] as const);
  const { exporter, check, began, until, lines, value } = await create(flaps);
  const [flapping, open] = ['uptime_check_flapping', 'uptime_check_outage_open'];
  await exporter.start();
  await until(5);
  expect(await value(open)).toBe(1);
  await exporter.crash();
  await exporter.start();
  await until(26);
  expect(await value(open)).toBe(0);
  expect(await value(flapping)).toBeUndefined();
  await until(31);
  expect(await value(flapping)).toBe(1);
  const labels = `account="shop",check_id="${check.id}",name="${check.name}",hostname="${check.hostname}",importance="high"`;
  expect(await lines(flapping)).toEqual([`{${labels}} 1`]);
  expect(await lines(open)).toEqual([`{${labels}} 1`]);

  await until(40);
  expect([await value(open), await value(flapping)]).toEqual([0, 1]);
  await exporter.crash();
  await exporter.start(wrongToken);
  expect([await value(open), await value(flapping)]).toEqual([0, 1]);
  await exporter.stop();
  await exporter.start();
  // A list one or two minutes after the outage has shown that it is up.
  await until(61);
  expect(await value(flapping)).toBe(1);
  await until(67);
  expect(await value(flapping)).toBe(0);
  expect(await value('uptime_check_last_outage_start_timestamp_seconds')).toBeCloseTo(
    began + 28 * minute,
    -3,
  );
  await exporter.stop();
  const day = 24 * 60;
  for (const [atMinute, expected] of [
    [30 + day, [0, 0]],
    [60 + day, [undefined, 0]],
    [68 + day, [undefined, undefined]],
  ] as const) {
    await until(atMinute);
    await exporter.start();
    expect([await value(open), await value(flapping)]).toEqual(expected);
    await exporter.stop();
  }
});

test('a check that is down before, between and after short maintenance is not flapping', async () => {
  const { exporter, check, began, until, value } = await create([[2, 600]]);
  for (const [from, to] of [
    [10, 15],
    [25, 30],
  ] as const) {
    planMaintenance(exporter.sandbox.world, {
      from: began + from * minute,
      to: began + to * minute,
      uptimeids: [check.id],
    });
  }
  await exporter.start();
  const seen: (number | undefined)[] = [];
  for (const at of [8, 13, 22, 28, 38]) {
    await until(at);
    seen.push(await value('uptime_check_outage_open'));
    expect(await value('uptime_check_flapping')).toBeUndefined();
  }
  expect(seen).toEqual([1, 0, 1, 0, 1]);
});

test('the outage of a check that a reload excludes is over at once, and open again when the check returns', async () => {
  const { exporter, check, until, lines } = await create([[2, 600]]);
  await exporter.start();
  await until(8);
  const shown = await lines('uptime_check_outage_open');
  expect(shown).toEqual([expect.stringMatching(/ 1$/)]);
  const before = exporter.sandbox.journal.total;
  await exporter.reload({ filter: ({ id }) => id !== check.id });
  const ended = shown.map((line) => line.replace(/ 1$/, ' 0'));
  expect(await lines('uptime_check_outage_open')).toEqual(ended);
  expect(await lines('uptime_outages_open')).toContain('{account="shop",kind="check"} 0');
  // No list has been read since the reload.
  expect(exporter.sandbox.journal.total).toBe(before);
  await exporter.crash();
  await exporter.start({ filter: ({ id }) => id !== check.id });
  expect(await lines('uptime_check_outage_open')).toEqual(ended);
  await exporter.reload({});
  await until(12);
  expect(await lines('uptime_check_outage_open')).toEqual(shown);
});

test('the number of open outages is shown while it is known, and the reason why an account cannot be read from the first scrape on', async () => {
  const { exporter, until, lines } = await create([[2, 600]]);
  const open = () => lines('uptime_outages_open');
  const failure = () => lines('uptime_exporter_account_failure');
  await exporter.start();
  expect(await failure()).toEqual(['{account="shop",reason="starting"} 1']);
  expect(await open()).toEqual([]);
  await until(1);
  expect(await failure()).toEqual(['{account="shop",reason="none"} 0']);
  expect(await open()).toContain('{account="shop",kind="check"} 0');
  await until(5);
  expect(await open()).toContain('{account="shop",kind="check"} 1');

  await exporter.crash();
  await exporter.start(wrongToken);
  expect(await failure()).toEqual(['{account="shop",reason="starting"} 1']);
  expect(await open()).toContain('{account="shop",kind="check"} 1');
  // Two lists are refused.
  await until(9);
  expect(await failure()).toEqual(['{account="shop",reason="unauthorized"} 1']);
  expect(await open()).toContain('{account="shop",kind="check"} 1');
  await until(120);
  expect(await open()).toContain('{account="shop",kind="check"} 1');
});

test('with a new store nothing is told of outages before the first list', async () => {
  const { exporter, until, lines, value } = await create([[0, 600]], {
    account: wrongToken,
    store: new MemoryStore(),
  });
  await exporter.start();
  await until(10);
  expect(await lines('uptime_outages_open')).toEqual([]);
  expect(await lines('uptime_check_outage_open')).toEqual([]);
  expect(await value('uptime_up')).toBe(0);
  expect(await lines('uptime_exporter_account_failure')).toEqual([
    '{account="shop",reason="unauthorized"} 1',
  ]);
});

test('what is open under labels that a restart no longer promotes is over under them', async () => {
  let labels = new LabelPolicy({ promote: [{ from: 'check_type' }] });
  const { exporter, until, lines } = await create([[2, 600]], { labels: () => labels });
  await exporter.start();
  await until(5);
  const typed = (await lines('uptime_check_outage_open')).map((line) =>
    line.includes('check_type'),
  );
  expect(typed).toEqual([true]);
  await exporter.crash();
  labels = new LabelPolicy({});
  await exporter.start(wrongToken);
  const shown = (await lines('uptime_check_outage_open')).map((line) => [
    line.includes('check_type'),
    line.slice(-1),
  ]);
  expect(shown).toEqual([
    [false, '1'],
    [true, '0'],
  ]);
});

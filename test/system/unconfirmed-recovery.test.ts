import { expect, test } from 'vitest';
import { World } from '../life/world.ts';
import { promptWire } from '../support/prompt-wire.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;

test('an unconfirmed recovery is shown as unknown, costs no report, and is counted from its first good test on', async () => {
  const world = World.inMemory({
    checks: 1,
    transactions: 0,
    datasets: statesOnly,
    wire: { ...promptWire, recoveries: 'unconfirmed_up' },
  });
  const { world: simulated, journal } = world.sandbox;
  const [check] = simulated.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const run = { from: check.created, resolutionSeconds: 300, phaseSeconds: 7 };
  simulated.registry.put({ ...check, resolutionMinutes: 5, runs: [run] });
  const checkId = check.id;
  simulated.plant({ checkId, status: 'up', from: world.now - 50 * 86_400 });
  await world.start();
  await world.pass(60 * minute);
  const reports = () =>
    journal.recent.filter(({ operation }) => operation === 'list_outages').length;
  const reportsBefore = reports();
  const from = world.now - (world.now % 300) + 300;
  simulated.plant({ checkId, status: 'down', from, to: from + 30 * minute });

  const shown: unknown[] = [];
  let samples = await world.scrape();
  const sampleOf = (start: string, label = '') =>
    [...samples].find(([key]) => key.startsWith(`${start}{`) && key.includes(label))?.[1];
  for (let passed = 0; passed < 50; passed++) {
    await world.pass(minute);
    samples = await world.scrape();
    const now = {
      up: sampleOf('uptime_check_up'),
      unknown: sampleOf('uptime_checks', 'status="unknown"'),
      open: sampleOf('uptime_check_outage_open') ?? 0,
    };
    if (JSON.stringify(now) !== JSON.stringify(shown.at(-1))) shown.push(now);
  }

  expect(shown).toEqual([
    { up: 1, unknown: 0, open: 0 },
    { up: 0, unknown: 0, open: 0 },
    { up: 0, unknown: 0, open: 1 },
    { up: undefined, unknown: 1, open: 1 },
    { up: 1, unknown: 0, open: 0 },
  ]);
  expect(reports()).toBe(reportsBefore);
  expect(sampleOf('uptime_check_outages_total')).toBe(1);
  expect(sampleOf('uptime_check_state_seconds_total', 'state="down"')).toBe(30 * minute);
  await world.stop();
});

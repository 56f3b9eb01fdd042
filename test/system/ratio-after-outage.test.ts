import { expect, test } from 'vitest';
import { World } from '../life/world.ts';
import { promptWire } from '../support/prompt-wire.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const outageMinutes = 12;

test('the error ratio falls soon after an outage although reports are ten minutes late, also after a pause', async () => {
  const world = World.inMemory({
    checks: 1,
    transactions: 0,
    datasets: statesOnly,
    wire: { ...promptWire, reportLagSeconds: { min: 600, max: 600 } },
  });
  const { world: simulated } = world.sandbox;
  const [check] = simulated.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const run = { from: check.created, resolutionSeconds: 60, phaseSeconds: 7 };
  simulated.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
  simulated.plant({
    checkId: check.id,
    status: 'up',
    from: world.now - 7_200,
    to: world.now + 99_999,
  });
  const ratio = async (window: string) =>
    [...(await world.scrape())].find(
      ([sample]) => sample.startsWith('uptime_check_error_ratio{') && sample.includes(window),
    )?.[1];
  await world.start();
  await world.pass(30 * minute);
  await world.change('PUT', `/checks/${check.id}`, { paused: true });
  await world.pass(15 * minute);
  await world.change('PUT', `/checks/${check.id}`, { paused: false });
  await world.pass(2 * minute);
  const end = world.now + outageMinutes * minute;
  simulated.plant({ checkId: check.id, status: 'down', from: world.now, to: end });
  await world.pass(outageMinutes * minute);

  // The report that shows the outage comes some minutes after its end.
  const ratios: number[] = [];
  for (let passed = 0; passed < 16; passed++) {
    ratios.push((await ratio('"5m"')) ?? Number.NaN);
    await world.pass(minute);
  }
  expect(await ratio('"1h"')).toBeCloseTo(outageMinutes / 45);
  expect(ratios.filter((value) => value === 1)).toHaveLength(0);
  expect(ratios.slice(6)).toEqual(Array.from({ length: 10 }, () => 0));
  await world.stop();
});

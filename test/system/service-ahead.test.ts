import { expect, test } from 'vitest';
import { World } from '../life/world.ts';
import { statesOnly } from '../support/states-only.ts';

const [minute, hour] = [60, 3_600];

test('after the clock of the service was hours ahead, log, page and JSON say that counters wait, and until when', async () => {
  const world = World.inMemory({
    checks: 3,
    transactions: 1,
    datasets: statesOnly,
    wire: { stray401: 0, stray403: 0, omittedChecks: 0 },
  });
  /** The clock of the machine stays right. */
  const stepService = (seconds: number) => {
    world.clock.stepWall(seconds * 1000);
    world.machineClock.stepWall(-seconds * 1000);
  };
  const linesOf = (text: string) => world.log.filter((line) => line.includes(text));
  const waits = 'counters wait: lists are older than what is counted';
  const isShown = async () => (await world.get('/')).includes('Counters wait until');
  const waitsUntil = async () =>
    JSON.parse(await world.get('/status.json')).accounts[0].counting.waits_until;
  await world.start();
  await world.pass(20 * minute);
  stepService(3 * hour);
  await world.pass(20 * minute);
  await world.scrape();
  expect(linesOf(waits)).toEqual([]);
  expect(await isShown()).toBe(false);
  const countedUntil = world.now;

  stepService(-3 * hour);
  await world.pass(10 * minute);
  expect(linesOf(waits)).toEqual([expect.stringContaining('level=warn')]);
  expect(await isShown()).toBe(true);
  expect(Math.abs((await waitsUntil()) - countedUntil)).toBeLessThan(3 * minute);

  await world.pass(3 * hour);
  await world.scrape();
  expect(linesOf(waits)).toHaveLength(1);
  expect(linesOf('counters go on')).toHaveLength(1);
  expect(await isShown()).toBe(false);
  expect(await waitsUntil()).toBeUndefined();
  expect(world.watch.backsteps).toEqual([]);
  await world.stop();
});

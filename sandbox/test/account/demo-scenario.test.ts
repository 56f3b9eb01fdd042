import { expect, test } from 'vitest';
import { demoOutageId } from '../../src/account/seed-scenario.ts';
import { World } from '../../src/account/world.ts';

const startedAt = 1_767_614_400;
const world = new World({ seed: 1, checks: 24, startedAt, scenario: 'demo' });
const plain = new World({ seed: 1, checks: 24, startedAt });
const check = (position: number) => {
  const found = world.checks[position];
  if (found === undefined) throw new Error(`no check at ${position}`);
  return found;
};
const outages = (position: number, from: number, to: number) =>
  [...world.history.outages(check(position), from, to)].length;

test('the demo has an outage that goes on', () => {
  expect(demoOutageId(world.checks)).toBe(check(2).id);
  for (const minutes of [-10, 0, 60]) {
    expect(world.history.stateAt(check(2), startedAt + 60 * minutes)).toBe('down');
  }
});

test('the demo has a check that flaps before and after the start', () => {
  expect(outages(10, startedAt - 10_800, startedAt)).toBeGreaterThanOrEqual(10);
  expect(outages(10, startedAt, startedAt + 10_800)).toBeGreaterThanOrEqual(10);
});

test('the demo has a check that has become slow, and was not before', () => {
  const mean = (of: World, from: number, to: number) => {
    const times: number[] = [];
    const slow = of.checks[8];
    if (slow === undefined) throw new Error('no check at 8');
    of.history.eachGoodTest(slow, from, to, (_time, _probe, took) => times.push(took));
    return times.reduce((sum, time) => sum + time, 0) / times.length;
  };
  const [before, since] = [startedAt - 20 * 3_600, startedAt - 9 * 3_600];
  expect(mean(world, before, since)).toBeCloseTo(mean(plain, before, since), 6);
  expect(mean(world, since, startedAt) / mean(plain, since, startedAt)).toBeCloseTo(4, 1);
});

test('the demo has one that is down in maintenance, and names for people', () => {
  expect(world.history.stateAt(check(18), startedAt)).toBe('down');
  expect(world.checks.filter(({ name }) => /[<\\\n\t]/.test(name))).toEqual([]);
  expect(plain.checks.some(({ name }) => name.includes('<script>'))).toBe(true);
});

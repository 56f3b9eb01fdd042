import { expect, test } from 'vitest';
import { shrink } from './random.ts';
import { type LifeEvent, reload, type Script } from './script.ts';

test('a script is made smaller until each of its events is needed for the failure', async () => {
  const events = Array.from({ length: 33 }, (_, at) => reload(at));
  const needed = [3, 4, 20];
  let plays = 0;
  const fails = async (script: Script) => {
    plays += 1;
    const times = script.events.map(({ at }: LifeEvent) => at);
    return needed.every((at) => times.includes(at));
  };
  const smallest = await shrink({ events }, fails, 60);
  expect(smallest.events.map(({ at }) => at)).toEqual(needed);
  expect(plays).toBeLessThan(61);

  plays = 0;
  const smaller = await shrink({ events }, fails, 4);
  expect(plays).toBe(4);
  expect(smaller.events.length).toBeLessThan(33);
});

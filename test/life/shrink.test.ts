import { expect, test } from 'vitest';
import { shrink } from './random.ts';
import { type LifeEvent, reload } from './script.ts';

test('a script is made smaller until each of its events is needed for the failure', async () => {
  const events = Array.from({ length: 33 }, (_, at) => reload(at));
  const needed = [3, 4, 20];
  let plays = 0;
  const smallest = await shrink({ events }, async (script) => {
    plays += 1;
    const times = script.events.map(({ at }: LifeEvent) => at);
    return needed.every((at) => times.includes(at));
  });
  expect(smallest.events.map(({ at }) => at)).toEqual(needed);
  expect(plays).toBeLessThan(61);
});

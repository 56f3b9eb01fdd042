import { expect, test } from 'vitest';
import { World } from '../life/world.ts';

test('the view shows how many series /metrics has', async () => {
  const world = World.inMemory({ checks: 12, transactions: 2 });
  await world.start();
  await world.pass(600);
  const samples = (await world.get('/metrics')).split('\n').filter((line) => /^\w/.test(line));

  const text = (await world.get('/')).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

  const [, shown = '', mode] = /\/metrics has ([\d,]+) series \(metrics: (\w+)\)/.exec(text) ?? [];
  expect(Number(shown.replaceAll(',', ''))).toBe(samples.length);
  expect(mode).toBe('full');
});

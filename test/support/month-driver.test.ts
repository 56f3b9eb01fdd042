import { expect, test } from 'vitest';
import { playMonth } from './month-driver.ts';
import type { RestartableExporter } from './restartable-exporter.ts';

const turnsOfARequest = 300;

test('what is stored does not change while a page is judged, right after a start, too', async () => {
  const moved: string[] = [];

  const { crashes } = await playMonth({
    seed: 207,
    limits: { shortLimit: 4_000, longLimit: 720_000 },
    days: 1.5,
    transactionIntervals: [],
    momentShare: 1,
    atMoment: async (exporter) => {
      const judged = await horizons(exporter);
      for (let turn = 0; turn < turnsOfARequest; turn++) await new Promise(setImmediate);
      if ((await horizons(exporter)) !== judged) moved.push(`at ${exporter.now}`);
    },
  });

  expect(moved).toEqual([]);
  expect(crashes).toBeGreaterThan(0);
});

async function horizons({ disk }: RestartableExporter): Promise<string> {
  const { check } = (await disk.load('shop')).items;
  return [...check.values()].map(({ states }) => states.horizonSeconds).join();
}

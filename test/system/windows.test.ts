import { expect, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { windowVerdict } from '../support/window-truth.ts';
import { accountsByVersion, expectTrueWindows } from '../support/windows-month.ts';

const minute = 60;
const hour = 60 * minute;

test.each(casesOf(['3.1', '2.1', '2.0'] as const, 0))(
  'with API %s the ratios on the page are those of every second',
  async (version) => {
    const exporter = await RestartableExporter.create({
      seed: 11,
      checks: 8,
      transactions: version === '3.1' ? 4 : 0,
    });
    await exporter.start(accountsByVersion[version]);
    let compared = 0;
    for (let draw = 0; draw < 3; draw++) {
      await exporter.pass(minute + hashUnit(draw, 3) * 2 * hour);
      if (draw % 3 === 2) {
        if (draw % 2 === 0) await exporter.stop();
        else await exporter.crash();
        await exporter.pass(hashUnit(draw, 4) * 2 * hour);
        await exporter.start(accountsByVersion[version]);
        await exporter.pass(10 * minute);
      }
      const verdict = await windowVerdict(exporter, await exporter.scrape());
      expect(verdict.wrong).toEqual([]);
      compared += verdict.compared;
    }
    expect(compared).toBeGreaterThan(20);
  },
);

/** The night plays a whole month. */
test('every ratio is that of every second through a day of faults, kills and lost stores', () =>
  expectTrueWindows('3.1', 1));

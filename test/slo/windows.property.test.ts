import { describe, expect, test } from 'vitest';
import { casesOf, extent } from '../support/extent.ts';
import { playWindows } from '../support/windows-driver.ts';

const lives = extent(1, 4);
/** At night a month, the longest window but one. */
const days = extent(5, 31);

describe('seconds of windows', () => {
  test.each(casesOf([1, 5, 15, 30, 60], 0, 1, 2, 4))(
    'of checks of %i minutes are what every second was',
    (minutes) => {
      let compared = 0;
      for (let seed = 1; seed <= lives; seed++) {
        compared += playWindows({ seed: seed * 100 + minutes, resolutionMinutes: minutes, days });
      }
      expect(compared).toBeGreaterThan(extent(2, 70) * lives);
    },
  );
});

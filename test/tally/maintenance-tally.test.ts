import { expect, test } from 'vitest';
import { tallyMaintenance } from '../../src/tally/maintenance-tally.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';

const booked = [
  { state: 'up', fromSeconds: 100, toSeconds: 200 },
  { state: 'down', fromSeconds: 200, toSeconds: 260 },
  { state: 'up', fromSeconds: 260, toSeconds: 400 },
] as const;

test('seconds inside occurrences are tallied by state', () => {
  const occurrences = [{ fromSeconds: 190, toSeconds: 230 }];

  expect(tallyMaintenance(noSeconds, booked, occurrences)).toEqual({
    ...noSeconds,
    up: 10,
    down: 30,
  });
});

test('a second inside two occurrences counts once', () => {
  const occurrences = [
    { fromSeconds: 300, toSeconds: 320 },
    { fromSeconds: 150, toSeconds: 220 },
    { fromSeconds: 210, toSeconds: 310 },
  ];

  expect(tallyMaintenance(noSeconds, booked, occurrences)).toEqual({
    ...noSeconds,
    up: 110,
    down: 60,
  });
});

test('nothing is added outside occurrences', () => {
  const before = { ...noSeconds, up: 5 };

  expect(tallyMaintenance(before, booked, [{ fromSeconds: 400, toSeconds: 500 }])).toBe(before);
});

import { describe, expect, test } from 'vitest';
import {
  defaultFlapping,
  type Flapping,
  type FlappingEvidence,
  flappingAfter,
  isFlapping,
} from '../../src/slo/flapping.ts';

const start = 1_767_225_607;
const minute = 60;

describe('an item flaps', () => {
  test.each([
    ['two outages in a minute', [0, 60], false],
    ['the third an hour after the first', [0, 1_777, 3_600], true],
    ['the third more than an hour after the first', [0, 1_777, 3_601], false],
    ['the last three of four within an hour', [0, 7_000, 8_013, 9_041], true],
  ])('%s: %j seconds, %s', (_, openedAt, expected) => {
    const openedAtSeconds = openedAt.map((seconds) => start + seconds);
    expect(isFlapping(openedAtSeconds, defaultFlapping)).toBe(expected);
  });

  test('after as many outages within the time as the configuration says', () => {
    const limits = { outages: 2, withinSeconds: 90, upForSeconds: 60 };
    expect(isFlapping([start], limits)).toBe(false);
    expect(isFlapping([start, start + 90], limits)).toBe(true);
    expect(isFlapping([start, start + 91], limits)).toBe(false);
  });
});

/** The lists at these seconds after the start. */
type Shown = readonly [
  atSeconds: number,
  state: FlappingEvidence['state'],
  failedAtSeconds?: number,
][];

function lived(shown: Shown): Flapping | undefined {
  let flapping: Flapping | undefined = { active: true };
  for (const [at, state, failedAt] of shown) {
    const failedAtSeconds = failedAt === undefined ? undefined : start + failedAt;
    flapping = flappingAfter(flapping, { state, failedAtSeconds }, start + at, defaultFlapping);
  }
  return flapping;
}

describe('flapping', () => {
  test.each([
    ['lasts while it is down', [[37, 'down']], true],
    [
      'lasts while it is up for less than 30 minutes',
      [
        [37, 'up'],
        [37 + 1_799, 'up'],
      ],
      true,
    ],
    [
      'ends when it has been up for 30 minutes',
      [
        [37, 'up'],
        [37 + 1_800, 'up'],
      ],
      false,
    ],
    [
      'lasts when a failure interrupts the 30 minutes',
      [
        [37, 'up'],
        [900, 'down'],
        [961, 'up'],
        [37 + 1_800, 'up'],
      ],
      true,
    ],
    [
      'lasts when an unconfirmed failure or unknown interrupts them',
      [
        [37, 'up'],
        [900, 'unsure'],
        [961, 'up'],
        [37 + 1_800, 'up'],
      ],
      true,
    ],
    [
      'lasts when the service reports a failure between two lists',
      [
        [37, 'up', 7],
        [900, 'up', 880],
        [37 + 1_800, 'up', 880],
      ],
      true,
    ],
    [
      'ends 30 minutes after such a failure was reported',
      [
        [37, 'up', 7],
        [900, 'up', 880],
        [900 + 1_800, 'up', 880],
      ],
      false,
    ],
    [
      'lasts while nothing is known',
      [
        [37, 'up'],
        [100, 'unsure'],
        [100_000, 'unsure'],
      ],
      true,
    ],
    ['ends at once by a pause or maintenance', [[37, 'ended']], false],
  ] as const satisfies readonly (readonly [string, Shown, boolean])[])('%s', (_, shown, active) => {
    const flapping = lived(shown);
    expect(flapping?.active).toBe(active);
    const endedAt = active ? undefined : start + (shown.at(-1)?.[0] ?? 0);
    expect(flapping?.overAtSeconds).toBe(endedAt);
  });

  test('ends after the time up that the configuration says', () => {
    const up = { state: 'up' } as const;
    const limits = { ...defaultFlapping, upForSeconds: 300 };
    const since = flappingAfter({ active: true }, up, start, limits);
    expect(flappingAfter(since, up, start + 299, limits)?.active).toBe(true);
    expect(flappingAfter(since, up, start + 300, limits)?.active).toBe(false);
  });

  test('that is over, or has never begun, is not changed by a list', () => {
    const over = { active: false, overAtSeconds: start };
    for (const state of ['down', 'up', 'ended', 'unsure'] as const) {
      expect(flappingAfter(over, { state }, start + minute, defaultFlapping)).toBe(over);
      expect(flappingAfter(undefined, { state }, start, defaultFlapping)).toBeUndefined();
    }
  });

  test('is the same object while nothing changes', () => {
    const known = { active: true, upSinceSeconds: start };
    const now = start + minute;
    expect(flappingAfter(known, { state: 'up' }, now, defaultFlapping)).toBe(known);
  });
});

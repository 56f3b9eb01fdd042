import { describe, expect, test } from 'vitest';
import { defaultFlapping } from '../../src/slo/flapping.ts';
import {
  nextExpirySeconds,
  noOutages,
  type OutageEvidence,
  type Outages,
  outagesAfter,
  relabelled,
  removedOutages,
} from '../../src/slo/outages.ts';

const start = 1_767_225_607;
const [minute, hour, day] = [60, 3_600, 86_400];

function reading(state: OutageEvidence['state'], fields: Partial<OutageEvidence> = {}) {
  const labels = { name: 'shop', tags: [] };
  const alertLabels = { importance: 'high', hostname: 'shop.example.com' } as const;
  return { id: 1, labels, alertLabels, state, ...fields } satisfies OutageEvidence;
}

function listed(before: Outages, at: number, ...evidence: readonly OutageEvidence[]): Outages {
  return outagesAfter(before, { evidence, isComplete: true }, start + at, defaultFlapping);
}

/** The lists of one check, at seconds after the start. */
function lived(
  ...shown: readonly (readonly [at: number, state: OutageEvidence['state']])[]
): Outages {
  return shown.reduce((outages, [at, state]) => listed(outages, at, reading(state)), noOutages);
}

describe('an outage', () => {
  test.each([
    ['opens when it is confirmed', [[0, 'down']], true],
    ['does not open by a failure that is not confirmed', [[0, 'unsure']], undefined],
    ['does not open by a pause', [[0, 'ended']], undefined],
    [
      'stays open while nobody knows',
      [
        [0, 'down'],
        [minute, 'unsure'],
      ],
      true,
    ],
    [
      'ends when the check is up',
      [
        [0, 'down'],
        [minute, 'up'],
      ],
      false,
    ],
    [
      'ends when the check is paused',
      [
        [0, 'down'],
        [minute, 'ended'],
      ],
      false,
    ],
    [
      'is over for 24 hours',
      [
        [0, 'down'],
        [minute, 'up'],
        [minute + day - 1, 'up'],
      ],
      false,
    ],
    [
      'is forgotten after 24 hours',
      [
        [0, 'down'],
        [minute, 'up'],
        [minute + day, 'up'],
      ],
      undefined,
    ],
    [
      'opens again',
      [
        [0, 'down'],
        [minute, 'up'],
        [2 * minute, 'down'],
      ],
      true,
    ],
  ] as const)('%s', (_, shown, expected) => {
    expect(lived(...shown).items.get(1)?.open).toBe(expected);
  });

  test('of an item that is gone is over under its labels for 24 hours', () => {
    const open = lived([0, 'down']);
    const gone = outagesAfter(open, { evidence: [], removed: [1] }, start + 90, defaultFlapping);
    expect(gone.items.size).toBe(0);
    expect(gone.former).toMatchObject([{ id: 1, labels: { name: 'shop' } }]);
    expect(listed(gone, 90 + day - 1).former).toHaveLength(1);
    expect(listed(gone, 90 + day).former).toEqual([]);
  });

  test('that had ended before its item was removed is over for the rest of its 24 hours', () => {
    const ended = lived([0, 'down'], [minute, 'up']);
    const gone = outagesAfter(ended, { evidence: [], removed: [1] }, start + hour, defaultFlapping);
    expect(gone.former[0]?.untilSeconds).toBe(start + minute + day);
  });

  test('keeps its own labels while it is open, and takes others when it opens again', () => {
    const low = { alertLabels: { importance: 'low', hostname: 'other.example.com' } } as const;
    const open = listed(lived([0, 'down']), minute, reading('down', low));
    expect(open.items.get(1)?.alertLabels.importance).toBe('high');
    expect(open.former).toEqual([]);
    const ended = listed(open, 2 * minute, reading('up', low));
    expect(ended.items.get(1)?.alertLabels.importance).toBe('high');
    const again = listed(ended, 3 * minute, reading('down', low));
    expect(again.items.get(1)?.alertLabels).toEqual(low.alertLabels);
    // An outage that was shown under the previous ones ends as usual.
    expect(again.former).toMatchObject([
      { alertLabels: { importance: 'high' }, untilSeconds: start + 2 * minute + day },
    ]);
  });

  test('that was renamed goes on under the new name and is over under the old one', () => {
    const renamed = reading('down', { labels: { name: 'store', tags: [] } });
    const { items, former } = listed(lived([0, 'down']), minute, renamed);
    expect(items.get(1)).toMatchObject({ open: true, labels: { name: 'store' } });
    expect(former).toMatchObject([
      { labels: { name: 'shop' }, untilSeconds: start + minute + day },
    ]);
  });

  test('goes on under labels that are promoted again, and is over under the previous ones', () => {
    const promoted = { team: 'payments' };
    const labels = { name: 'shop', tags: [], promoted };
    const open = listed(noOutages, 0, reading('down', { labels }));
    const same = relabelled(open, () => ({ team: 'payments' }), start + minute);
    expect(same).toBe(open);
    const other = relabelled(open, () => ({ squad: 'payments' }), start + minute);
    expect(other.items.get(1)).toMatchObject({
      open: true,
      labels: { promoted: { squad: 'payments' } },
    });
    expect(other.former).toMatchObject([{ labels: { promoted } }]);
    const none = relabelled(other, () => undefined, start + minute);
    expect(none.items.get(1)?.labels).toEqual({ name: 'shop', tags: [] });
    expect(none.former.map((former) => former.labels.promoted)).toEqual([
      promoted,
      { squad: 'payments' },
    ]);
  });
});

describe('flapping', () => {
  const down = (count: number) =>
    Array.from({ length: count }, (_, place): [number, OutageEvidence['state']][] => [
      [place * 17 * minute, 'down'],
      [place * 17 * minute + 7 * minute, 'up'],
    ]).flat();

  test.each([
    ['is not shown of two outages', down(2), undefined],
    ['begins with the third outage', down(3).slice(0, -1), true],
    ['lasts when the third outage ends', down(3), true],
    [
      'has not begun where an outage was never shown open',
      [...down(2), [40 * minute, 'up']],
      undefined,
    ],
    ['lasts for 30 minutes after that', [...down(3), [70 * minute, 'up']], true],
    ['is over then', [...down(3), [71 * minute, 'up']], false],
    [
      'is over for 24 hours',
      [...down(3), [71 * minute, 'up'], [71 * minute + day - 1, 'up']],
      false,
    ],
    [
      'is forgotten after 24 hours',
      [...down(3), [71 * minute, 'up'], [71 * minute + day, 'up']],
      undefined,
    ],
    ['is over at once by a pause', [...down(3), [42 * minute, 'ended']], false],
    [
      'does not begin when maintenance interrupts an outage twice',
      [
        [0, 'down'],
        [5 * minute, 'ended'],
        [8 * minute, 'down'],
        [15 * minute, 'ended'],
        [18 * minute, 'down'],
      ],
      undefined,
    ],
    [
      'begins with the third outage, one of which maintenance interrupts',
      [...down(2), [34 * minute, 'down'], [35 * minute, 'ended'], [38 * minute, 'down']],
      true,
    ],
  ] as const satisfies readonly (readonly [
    string,
    readonly (readonly [number, OutageEvidence['state']])[],
    unknown,
  ])[])('%s', (_, shown, expected) => {
    const { items } = lived(...shown);
    expect(items.get(1)?.flapping?.active).toBe(expected);
  });

  test('is shown for longer than the outage that is over', () => {
    const ended = lived(...down(3), [71 * minute, 'up'], [41 * minute + day, 'up']);
    expect(ended.items.get(1)).toMatchObject({ open: false, flapping: { active: false } });
    expect(ended.items.get(1)).not.toHaveProperty('overAtSeconds');
    expect(nextExpirySeconds(ended)).toBe(start + 71 * minute + day);
  });

  test('that has ended is over for the rest of its 24 hours when the item is gone', () => {
    const ended = lived(...down(3), [71 * minute, 'up']);
    expect(removedOutages(ended, start + 2 * hour)).toMatchObject([
      { untilSeconds: start + 71 * minute + day },
    ]);
  });

  test('keeps the labels of its outages, and is over under them when the item is gone', () => {
    const flapping = lived(...down(3));
    const low = { alertLabels: { importance: 'low', hostname: '' } } as const;
    const again = listed(flapping, 45 * minute, reading('down', low));
    expect(again.items.get(1)?.alertLabels.importance).toBe('high');
    expect(again.former).toEqual([]);
    expect(removedOutages(again, start + hour)).toMatchObject([
      { hasFlapped: true, alertLabels: { importance: 'high' }, untilSeconds: start + hour + day },
    ]);
  });
});

describe('outages', () => {
  test('are known once a list was complete, and stay so', () => {
    const partly = outagesAfter(noOutages, { evidence: [] }, start, defaultFlapping);
    expect(partly).toBe(noOutages);
    const known = listed(partly, minute);
    expect(known.isKnown).toBe(true);
    expect(outagesAfter(known, { evidence: [] }, start + hour, defaultFlapping)).toBe(known);
  });

  test('are the same object while nothing changes', () => {
    const open = lived([0, 'down']);
    expect(listed(open, minute, reading('down'))).toBe(open);
    expect(listed(open, minute, reading('unsure'))).toBe(open);
  });
});

import { describe, expect, test } from 'vitest';
import { beginningOf, lengthText, stateBeginning } from '../../../src/http/common/beginnings.ts';
import { itemsOf } from '../../../src/http/common/items.ts';
import type { ItemPast } from '../../../src/state/items/item-past.ts';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { noon, statesBy } from '../../support/snapshots.ts';
import { accountOf, type Row, unread } from '../support/account-of-checks.ts';

test('a check is up since its last outage ended, also before that is counted', () => {
  const recovered = statesBy({
    1: [
      { state: 'unknown', fromSeconds: noon - 100_000, toSeconds: noon - 90_000 },
      { state: 'down', fromSeconds: noon - 90_000, toSeconds: noon - 86_400 },
      { state: 'up', fromSeconds: noon - 86_400, toSeconds: noon - 60 },
    ],
  });
  const whileDown = statesBy({
    1: [
      { state: 'up', fromSeconds: noon - 86_400, toSeconds: noon - 600 },
      { state: 'down', fromSeconds: noon - 600, toSeconds: noon - 360 },
    ],
  });
  const beginning = (row: Partial<CheckRow>, ofCheck = recovered) => {
    const { status } = accountOf([{ id: 1, ...row }], () => ({ outages: [] }));
    const states = { ofCheck, ofTransaction: () => undefined };
    const [item] = itemsOf([{ ...status, states }]);
    return item && stateBeginning(item);
  };
  const counted = { atSeconds: noon - 86_400, isExact: true };
  expect(beginning({})).toEqual(counted);
  const former = { lastDownStartAtSeconds: noon - 90_000, lastDownEndAtSeconds: noon - 86_400 };
  expect(beginning(former)).toEqual(counted);
  const uncounted = { lastDownStartAtSeconds: noon - 600, lastDownEndAtSeconds: noon - 300 };
  expect(beginning(uncounted)).toEqual({ atSeconds: noon - 300, isExact: true });
  expect(beginning(uncounted, whileDown)).toEqual({ atSeconds: noon - 300, isExact: true });
  expect(beginning({ lastDownStartAtSeconds: noon - 600 }, whileDown)).toBeUndefined();
});

describe('an outage began', () => {
  const down = { id: 1, status: 'down' } as const;
  const beginning = (row: Row, past: ItemPast = unread) => {
    const [item] = accountOf([row], () => past).items;
    return item && beginningOf(item);
  };

  test('when the list or a report says', () => {
    const exact = { atSeconds: noon - 300, isExact: true };
    const outage = {
      importance: 'high',
      hostname: '',
      open: true,
      sinceSeconds: noon - 300,
    } as const;
    expect(beginning({ ...down, outage })).toEqual(exact);
    expect(beginning({ ...down, lastDownStartAtSeconds: noon - 300 })).toEqual(exact);
    const read = { outages: [{ fromSeconds: noon - 300, causes: [] }] };
    expect(beginning(down, read)).toEqual(exact);
  });

  test('otherwise before it was first seen', () => {
    const outage = {
      importance: 'high',
      hostname: '',
      open: true,
      seenAtSeconds: noon - 60,
    } as const;
    const before = { atSeconds: noon - 60, isExact: false };
    expect(beginning({ ...down, outage })).toEqual(before);
    const partial: ItemPast = {
      outages: [{ fromSeconds: noon - 90, beganBefore: true, causes: [] }],
    };
    expect(beginning({ ...down, outage }, partial)).toEqual({ ...before, atSeconds: noon - 90 });
    expect(lengthText(before, noon)).toBe('more than 1 min');
    expect(beginning({ id: 1, status: 'up' })).toBeUndefined();
  });

  test('not with an outage that has ended', () => {
    const ended = { lastDownStartAtSeconds: noon - 900, lastDownEndAtSeconds: noon - 600 };
    expect(beginning({ ...down, ...ended })).toBeUndefined();
  });
});

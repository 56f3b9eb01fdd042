import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimeRange } from '../../../src/domain/interval.ts';
import type { ItemStates } from '../../../src/slo/reported-states.ts';
import { type StateChange, StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import {
  type FailedItem,
  latestOutageSeconds,
  newestOutages,
  recentOutagesOfAccount,
  recentOutagesOfItem,
} from '../../../src/state/standing/recent-outages.ts';

const start = 1_767_225_607;
const [minute, hour, day] = [60, 3_600, 86_400];

type Source = Pick<FailedItem, 'id' | 'name' | 'maintenance'> & { readonly states: ItemStates };

/**
 * A check that was down for ten minutes at each of these seconds after the start, and is up after a
 * day.
 */
function source(id: number, downAt: readonly number[], more: Partial<Source> = {}) {
  const changes = downAt.flatMap((at): StateChange[] => [
    { state: 'down', fromSeconds: start + at },
    { state: 'up', fromSeconds: start + at + 10 * minute },
  ]);
  const states = {
    startSeconds: start,
    horizonSeconds: start + day,
    state: 'up' as const,
  };
  const log = {
    ...emptyLog(start),
    changes: StateChanges.of([{ state: 'up' as const, fromSeconds: start }, ...changes]),
  };
  const read: Source = {
    id,
    name: `check ${id}`,
    maintenance: [],
    states: { known: { states, log }, endSeconds: start + day },
    ...more,
  };
  return read;
}

function openSince(fromSeconds: number, one: Source): Source {
  return {
    ...one,
    states: { ...one.states, listedOpen: { fromSeconds } },
  };
}

const labels = { importance: 'high', hostname: '' } as const;

function shownOf(...sources: readonly Source[]) {
  return newestOutages(
    sources.flatMap((source): FailedItem[] => {
      const { known, listedOpen, lastListed } = source.states;
      const latestSeconds = latestOutageSeconds({
        totals: known,
        listed: [lastListed?.fromSeconds, lastListed?.toSeconds],
        open: listedOpen && { ...labels, open: true, sinceSeconds: listedOpen.fromSeconds },
      });
      if (latestSeconds === undefined) return [];
      return [{ ...source, kind: 'check', latestSeconds, states: () => source.states }];
    }),
  );
}

test('a listed outage that ends after the counted time is a candidate from its start on', () => {
  const states = { startSeconds: start, horizonSeconds: start + hour, state: 'up' } as const;
  const latest = (endSeconds: number) =>
    latestOutageSeconds({
      totals: { states },
      listed: [start + minute, endSeconds],
      open: undefined,
    });

  expect(latest(start + hour + 1)).toBe(start + minute);
  expect(latest(start + hour)).toBeUndefined();
});

describe('the recent outages', () => {
  test('of a flapping check are its newest, and leave room for those of others', () => {
    const flapping = Array.from({ length: 30 }, (_, at) => (at * hour) / 2 + minute);
    const shown = shownOf(source(1, flapping), source(2, [minute]));
    const ofFirst = shown.filter(({ id }) => id === 1).map(({ fromSeconds }) => fromSeconds);
    expect(ofFirst).toEqual(
      flapping
        .map((at) => start + at)
        .reverse()
        .slice(0, recentOutagesOfItem),
    );
    expect(shown.filter(({ id }) => id === 2)).toHaveLength(1);
  });

  test('of an account are bounded, newest first', () => {
    const sources = Array.from({ length: 150 }, (_, id) => source(id, [minute * (id + 1)]));
    const shown = shownOf(...sources);
    expect(shown).toHaveLength(recentOutagesOfAccount);
    expect(shown.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, at) => 149 - at));
  });

  test('of an account are those that all of its outages would give', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 70 }))), (items) => {
        const sources = items.map((tens, id) =>
          source(
            id,
            tens.sort((a, b) => a - b).map((ten) => ten * 20 * minute + id),
          ),
        );
        const all = items.flatMap((tens, id) =>
          tens
            .sort((a, b) => b - a)
            .slice(0, recentOutagesOfItem)
            .map((ten) => ({ id, fromSeconds: start + ten * 20 * minute + id })),
        );
        const newest = all.sort((a, b) => b.fromSeconds - a.fromSeconds || a.id - b.id);
        expect(shownOf(...sources)).toMatchObject(newest.slice(0, recentOutagesOfAccount));
      }),
    );
  });

  test('have the one that the list shows before anything is counted', () => {
    const shown = shownOf(openSince(start + day - minute, source(1, [hour])));
    expect(shown.map(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds])).toEqual([
      [start + day - minute, undefined],
      [start + hour, start + hour + 10 * minute],
    ]);
  });

  test('mark the one that only the list shows as begun in maintenance', () => {
    const sinceSeconds = start + day - hour;
    const maintenance = [{ fromSeconds: sinceSeconds - hour, toSeconds: sinceSeconds + hour / 2 }];
    const [shown] = shownOf(openSince(sinceSeconds, source(1, [], { maintenance })));
    expect(shown?.maintenance).toBe('part');
  });

  describe('of which the states are counted up to the middle, and that is over', () => {
    const { states } = source(1, [hour]);
    const { known } = states;
    const downAt = start + day;
    const over = {
      ...states,
      isListedOver: true,
      endSeconds: downAt + 5 * minute,
      known: {
        states: {
          ...known.states,
          state: 'down' as const,
          horizonSeconds: downAt + minute,
        },
        log: {
          ...emptyLog(start),
          changes: StateChanges.of([
            { state: 'up' as const, fromSeconds: start },
            { state: 'down' as const, fromSeconds: downAt },
          ]),
        },
      },
    };
    const outagesWith = (lastListed?: TimeRange) =>
      shownOf({ ...source(1, []), states: { ...over, lastListed } });
    const [from, noted] = [downAt, downAt + minute];

    test('ended when the list says', () => {
      const [outage] = outagesWith({ fromSeconds: from, toSeconds: from + 3 * minute });
      expect(outage).toMatchObject({ fromSeconds: from, toSeconds: from + 3 * minute });
      expect(outage).not.toHaveProperty('endsLater');
    });

    test('ended later than the last test that is counted, where the list does not show when', () => {
      expect(outagesWith()).toMatchObject([
        { fromSeconds: from, toSeconds: noted, endsLater: true },
      ]);
    });

    test('did not end with another outage', () => {
      const another = { fromSeconds: from + 4 * minute, toSeconds: from + 5 * minute };
      expect(outagesWith(another)).toMatchObject([
        another,
        { fromSeconds: from, toSeconds: noted, endsLater: true },
      ]);
    });
  });

  test('have the one that the list shows, also of a check that never failed before', () => {
    const { states } = source(1, []);
    const lastListed = { fromSeconds: start + day + minute, toSeconds: start + day + 3 * minute };
    const flawless = { states: states.known.states };
    const listed = { known: flawless, endSeconds: start + day + hour, lastListed };
    expect(shownOf({ ...source(1, []), states: listed })).toMatchObject([lastListed]);
    expect(shownOf({ ...source(1, []), states: { ...listed, lastListed: undefined } })).toEqual([]);
  });

  test('are found without reading the checks that have only older ones', () => {
    let read = 0;
    const items = Array.from({ length: recentOutagesOfAccount + 20 }, (_, place): FailedItem => {
      const one = source(place, [place * minute]);
      const states = () => {
        read += 1;
        return one.states;
      };
      return { ...one, kind: 'check', latestSeconds: start + place * minute, states };
    });
    expect(newestOutages(items)).toHaveLength(recentOutagesOfAccount);
    expect(read).toBe(recentOutagesOfAccount);
  });

  test('show how much of each lies in maintenance, however its occurrences overlap', () => {
    const maintenance = [
      { fromSeconds: start + hour, toSeconds: start + hour + 6 * minute },
      { fromSeconds: start + hour + 5 * minute, toSeconds: start + hour + 10 * minute },
      { fromSeconds: start + 2 * hour + 9 * minute, toSeconds: start + 3 * hour },
    ];
    const shown = shownOf(source(1, [hour, 2 * hour, 4 * hour], { maintenance }));
    expect(shown.map((outage) => outage.maintenance)).toEqual(['none', 'part', 'whole']);
  });
});

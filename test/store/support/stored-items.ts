import { whole } from '../../../src/lib/whole.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import type { StateLog } from '../../../src/slo/state-log.ts';
import type { StoredItem } from '../../../src/store/store.ts';
import type { StateTally } from '../../../src/tally/state-tally.ts';

/** An item with only the required fields; `n` distinguishes items. */
export function plainItem(n: number): StoredItem {
  return {
    states: {
      startSeconds: 1_767_225_600,
      horizonSeconds: 1_767_225_600 + n,
      state: 'up',
    },
  };
}

/** An item with all possible fields. */
export const fullItem: Required<StoredItem> & {
  readonly states: Required<StateTally>;
  readonly log: Required<StateLog>;
} = {
  states: {
    startSeconds: 1_767_225_600,
    horizonSeconds: 1_767_229_200,
    state: 'down',
    resolutionSeconds: 60,
    reportUntilSeconds: 1_767_229_300,
    unknownUntilSeconds: 1_767_225_590,
    pausedSinceSeconds: 1_767_229_400,
    facts: [
      { kind: 'down', fromSeconds: 1_767_229_260, toSeconds: 1_767_229_300 },
      { kind: 'paused', fromSeconds: 1_767_229_320, toSeconds: 1_767_229_400 },
    ],
    isReported: true,
  },
  maintenance: { up: 1, down: 2, unknown: 3, unmonitored: 4 },
  results: {
    watermark: {
      startSeconds: whole(5),
      atSeconds: whole(10),
      recent: [{ atSeconds: 9, key: '77' }],
    },
    counts: { up: 4, down: 3, unconfirmed_down: 2, unknown: 1 },
    responseTimes: { boundsSeconds: [0.1, 1], counts: [1, 2, 1], sumMilliseconds: 4321 },
    byCountry: [{ countryIso: 'SE', results: 10, responseTimes: 4, sumMilliseconds: 4321 }],
  },
  analyses: {
    watermark: { startSeconds: whole(5), atSeconds: whole(8), recent: [] },
    counts: { analysis: 3 },
  },
  goneAtSeconds: 1_767_229_400,
  firstSightSeconds: 1_767_225_000,
  sealedUntilSeconds: 1_767_220_000,
  log: {
    knownFromSeconds: 1_764_201_600,
    hours: [
      {
        fromSeconds: 1_764_201_600,
        toSeconds: 1_764_205_200,
        seconds: { up: 3000, down: 400, unknown: 150, unmonitored: 50 },
      },
    ],
    changes: StateChanges.of([
      { state: 'up', fromSeconds: 1_764_205_200 },
      { state: 'unmonitored', fromSeconds: 1_767_220_000 },
      { state: 'up', fromSeconds: 1_767_225_600 },
      { state: 'down', fromSeconds: 1_767_229_000 },
    ]),
    seconds: { up: 2800, down: 300, unknown: 200, unmonitored: 100 },
    outages: 2,
    lastOutageSeconds: 120,
    tail: {
      fromSeconds: 1_764_201_700,
      toSeconds: 1_764_201_800,
      isEndListed: true,
      askFromSeconds: 1_764_201_900,
    },
    givenUp: [
      { fromSeconds: 1_767_220_000, toSeconds: 1_767_221_000 },
      { fromSeconds: 1_767_222_000, toSeconds: 1_767_223_000 },
    ],
  },
};

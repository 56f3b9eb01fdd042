import { expect, test } from 'vitest';
import type { AccountData } from '../../src/domain/account.ts';
import { type StateSpan, type TalliedState, talliedStates } from '../../src/domain/interval.ts';
import { type CheckTotals, checkWithCounted } from '../../src/state/items/totals.ts';
import { occurrencesByItem } from '../../src/state/maintenance.ts';
import { maintenanceChange } from '../../src/state/maintenance-change.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import fc from '../support/fast-check.ts';
import { noEvents } from './support/shop.ts';

const start = 1_767_225_600;
const minute = 60;
const ids = [1, 2, 3] as const;

type Maintenance = NonNullable<AccountData['maintenance']>;

/** A list or a report counts a check for some minutes more. */
interface Count {
  readonly id: number;
  readonly minutes: number;
  readonly state: TalliedState;
}

/** The window gets other members and times. */
interface Edit {
  readonly members: readonly number[];
  /** Minutes after the start. */
  readonly from: number;
  readonly minutes: number;
}

const steps = fc.array(
  fc.oneof(
    fc.record<Count>({
      id: fc.constantFrom(...ids),
      minutes: fc.integer({ min: 1, max: 90 }),
      state: fc.constantFrom(...talliedStates),
    }),
    fc.record<Edit>({
      members: fc.subarray([...ids]),
      from: fc.integer({ min: 0, max: 600 }),
      minutes: fc.integer({ min: 1, max: 200 }),
    }),
  ),
  { minLength: 5, maxLength: 40 },
);

/** A check with the state of each minute, and the minutes that are counted as maintenance. */
class Member {
  totals: CheckTotals = {
    states: { startSeconds: start, horizonSeconds: start, state: 'up' },
    ...noEvents(start),
  };
  readonly entry: { readonly id: number };
  readonly #minutes: TalliedState[] = [];
  readonly #counted = new Set<number>();

  constructor(id: number) {
    this.entry = { id };
  }

  count(state: TalliedState, minutes: number, maintenance: Maintenance | undefined): void {
    const { states } = this.totals;
    const fromSeconds = states.horizonSeconds;
    const toSeconds = fromSeconds + minutes * minute;
    const recorded: StateSpan[] = [{ state, fromSeconds, toSeconds }];
    const tally = { ...states, horizonSeconds: toSeconds, state };
    const occurrences = occurrencesByItem('check', maintenance)(this.entry.id);
    this.totals = checkWithCounted(this.totals, { tally, recorded }, occurrences);
    for (let left = minutes; left > 0; left--) this.#minutes.push(state);
    this.applies(maintenance);
  }

  /** What is in maintenance and not counted yet is counted now. */
  applies(maintenance: Maintenance | undefined): void {
    const occurrences = occurrencesByItem('check', maintenance)(this.entry.id);
    for (const place of this.#minutes.keys()) {
      const at = start + place * minute;
      const isInside = occurrences.some((one) => one.fromSeconds <= at && at < one.toSeconds);
      if (isInside) this.#counted.add(place);
    }
  }

  get expected() {
    const seconds = { ...noSeconds };
    for (const place of this.#counted) seconds[this.#minutes[place] ?? 'up'] += minute;
    return seconds;
  }
}

function edited({ members, from, minutes }: Edit): Maintenance {
  const fromSeconds = start + from * minute;
  const toSeconds = fromSeconds + minutes * minute;
  const window = {
    id: 5,
    recurrence: 'none' as const,
    checkIds: [...members],
    transactionIds: [],
    startAtSeconds: fromSeconds,
    endAtSeconds: toSeconds,
  };
  return { windows: [window], occurrences: [{ maintenanceId: 5, fromSeconds, toSeconds }] };
}

test('a second of maintenance is counted once, whichever horizons the members have at an edit', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const members = new Map(ids.map((id) => [id as number, new Member(id)]));
      let maintenance: Maintenance | undefined = { windows: [], occurrences: [] };
      let readAtSeconds = start;
      for (const step of all) {
        if ('id' in step) {
          members.get(step.id)?.count(step.state, step.minutes, maintenance);
          continue;
        }
        const horizons = [...members.values()].map(({ totals }) => totals.states.horizonSeconds);
        const nowSeconds = Math.max(readAtSeconds, ...horizons) + minute;
        const change = await maintenanceChange(maintenance, edited(step), members.values(), {
          readAtSeconds,
          nowSeconds,
          keptFromSeconds: 0,
        });
        readAtSeconds = nowSeconds;
        maintenance = change.maintenance;
        for (const [id, totals] of change.checks ?? []) {
          const member = members.get(id);
          if (member !== undefined && totals !== null) member.totals = totals;
        }
        for (const member of members.values()) member.applies(maintenance);
      }
      for (const { totals, expected } of members.values()) {
        expect(totals.maintenance ?? noSeconds).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});

test('requests have a turn while the maintenance of many checks changes', async () => {
  const members = Array.from({ length: 5_000 }, (_, id) => new Member(id));
  const edit = { members: members.map(({ entry }) => entry.id), from: 0, minutes: 5 };
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await maintenanceChange(undefined, edited(edit), members, {
    ...{ readAtSeconds: start, nowSeconds: start + minute, keptFromSeconds: 0 },
  });
  isDone = true;

  expect(turns).toBeGreaterThan(9);
});

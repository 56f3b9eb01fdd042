import { expect, test } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import type { Check, CheckStatus } from '../../src/domain/check.ts';
import type { DatasetName } from '../../src/domain/dataset.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import type { AccountState } from '../../src/state/account-state.ts';
import type { ItemRecord, RowContext } from '../../src/state/items/item-rows.ts';
import { ItemStore } from '../../src/state/items/item-store.ts';
import type { CheckTotals } from '../../src/state/items/totals.ts';
import type { CheckRow, ShownOutage } from '../../src/state/snapshot.ts';
import { aRenderer, plainText } from '../exposition/support/rendering.ts';
import { defaultPolicies } from '../support/default-policies.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { noEvents, shopState } from './support/shop.ts';
import { storedOf } from './support/stored-state.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}
interface Totals {
  readonly count: number;
}
interface Found {
  readonly color: string;
  readonly size: number;
}
const alertLabels = { importance: 'high', hostname: '' } as const;
type Context = RowContext<Item, Totals, Found>;

const datasets = { color: 'detail', size: 'average' } as const;
const id = fc.integer({ min: 1, max: 8 });
const word = fc.constantFrom('a', 'b', 'c');

const storeStep = fc.oneof(
  fc.record({
    act: fc.constant('list' as const),
    items: fc.uniqueArray(fc.record({ id, name: word }), { selector: (item) => item.id }),
    isComplete: fc.boolean(),
  }),
  fc.record({ act: fc.constant('apply' as const), id, count: fc.nat(2) }),
  fc.record({ act: fc.constant('color' as const), id, color: word }),
  fc.record({ act: fc.constant('size' as const), id, size: fc.nat(2) }),
  fc.record({ act: fc.constant('maintenance' as const), id, active: fc.boolean() }),
  fc.record({ act: fc.constant('outage' as const), id, open: fc.boolean() }),
  fc.record({ act: fc.constant('pass' as const), tens: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ act: fc.constant('limit' as const), tens: fc.integer({ min: 1, max: 9 }) }),
);
/** Ages are compared every ten seconds; they often equal the limit. */
const tenSeconds = 10_000;
/** Steps after which an equal row must be the same object: their inputs are compared by value. */
const comparedByValue: ReadonlySet<string> = new Set(['pass', 'limit', 'color', 'size', 'outage']);

const noStanding = { budget: undefined, lastOutageStartSeconds: undefined };

/** The number of rows that are built ahead; undefined if all are. */
const prepared = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 });

test('rows of a store are those of a naive rebuild, and what shows the same is the same object', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(storeStep, prepared), { minLength: 20, maxLength: 60 }),
      (steps) => {
        const build = (input: object) => structuredClone(input);
        const store = new ItemStore<Item, Totals, Found, object>({
          detailDatasets: datasets,
          build,
        });
        const maintenance = new Map<number, { active: boolean }>();
        const outages = new Map<number, ShownOutage>();
        let [now, limit, listedAt] = [tenSeconds, 5 * tenSeconds, 0];
        const notInMaintenance = { active: false };
        const context: Context = {
          freshSince: () => now - limit,
          get now() {
            return now;
          },
          maintenanceOf: (of) => maintenance.get(of) ?? notInMaintenance,
          standingOf: ({ entry }) => ({ ...noStanding, outage: outages.get(entry.id) }),
        };
        let before = store.rows(context);
        let wasCompared = true;
        for (const [step, mostPrepared] of steps) {
          if (step.act === 'list') {
            listedAt += 60;
            const { items: entries, isComplete } = step;
            const listed = { entries, isComplete, nowSeconds: listedAt };
            const { gone } = store.list(listed, () => ({ count: 0 }));
            store.leave(gone, { atSeconds: listedAt, why: 'list' });
          }
          if (step.act === 'apply') store.apply(step.id, { count: step.count });
          if (step.act === 'color') store.setDetail(step.id, 'color', step.color, now);
          if (step.act === 'size') store.setDetail(step.id, 'size', step.size, now);
          if (step.act === 'pass') now += step.tens * tenSeconds;
          if (step.act === 'limit') {
            limit = step.tens * tenSeconds;
            now += tenSeconds;
          }
          if (step.act === 'maintenance') maintenance.set(step.id, { active: step.active });
          if (step.act === 'outage') outages.set(step.id, { ...alertLabels, open: step.open });
          if (step.act === 'maintenance' || step.act === 'outage') store.invalidate(step.id);
          if (mostPrepared !== undefined) {
            store.prepareRows(context, mostPrepared);
            wasCompared = false;
            continue;
          }
          const rows = store.rows(context);
          expect(rows).toEqual(naiveRows(store.records(), context));
          expect(store.rows(context)).toBe(rows);
          if (wasCompared && comparedByValue.has(step.act)) {
            const changed = rows.filter((row, place) => row !== before[place]);
            for (const row of changed) expect(before).not.toContainEqual(row);
          }
          before = rows;
          wasCompared = true;
        }
      },
    ),
    { numRuns: extent(20, 300) },
  );
});

function naiveRows(records: Iterable<ItemRecord<Item, Totals, Found>>, context: Context): object[] {
  return [...records]
    .toSorted((a, b) => a.entry.id - b.entry.id)
    .map((record) => {
      const { entry, totals, details } = record;
      const names = Object.keys(details) as (keyof Found)[];
      const fresh = names.filter(
        (name) => (details[name]?.at ?? 0) >= context.freshSince(datasets[name]),
      );
      return {
        entry,
        totals,
        details: Object.fromEntries(fresh.map((name) => [name, details[name]?.value])),
        maintenance: context.maintenanceOf?.(entry.id),
        ...context.standingOf?.(record),
      };
    });
}

const start = 1_767_614_400;
const minute = 60;
const day = 86_400;
const status = fc.constantFrom<CheckStatus>('up', 'up', 'down', 'paused', 'unknown');

const accountStep = fc.oneof(
  fc.record({
    act: fc.constant('list' as const),
    checks: fc.uniqueArray(fc.record({ id, name: word, tag: word, status }), {
      selector: (check) => check.id,
      minLength: 4,
    }),
  }),
  fc.record({ act: fc.constant('count' as const), id, state: fc.constantFrom('up', 'down') }),
  fc.record({ act: fc.constant('detail' as const), id, probes: fc.nat(3) }),
  fc.record({
    act: fc.constant('maintenance' as const),
    ids: fc.uniqueArray(id, { maxLength: 3 }),
    from: fc.integer({ min: -2 * day, max: 10 * minute }),
    length: fc.integer({ min: minute, max: day }),
  }),
  fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ act: fc.constant('pass' as const), seconds: fc.constant(2 * day) }),
  fc.record({ act: fc.constant('plan' as const), seconds: fc.integer({ min: 60, max: 600 }) }),
);

test('a snapshot is that of an account that was just restored, and so is its page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(accountStep, { maxLength: 20 }), async (steps) => {
      const clock = new VirtualClock(start * 1000);
      const slo = sloPolicyOf({}, { from_tags: ['*'] });
      const create = () => shopState({ clock, policies: { ...defaultPolicies(), slo } });
      const state = create();
      const renderer = aRenderer({ rowsPerRange: 2 });
      let intervalSeconds = 60;
      state.datasets.planned(planOf(intervalSeconds));
      for (const [place, step] of steps.entries()) {
        await take(state, clock, step);
        if (step.act === 'plan') intervalSeconds = step.seconds;
        if (place % 2 === 0) state.snapshot();
        else state.prepareSnapshot();
        // Ranges end with the newest list, whatever time has passed.
        clock.suspend(minute * 1000);
        const snapshot = state.snapshot();
        const anew = create();
        anew.restore(storedOf(state));
        anew.datasets.planned(planOf(intervalSeconds));
        const { checks, groups, endedChecks } = anew.snapshot();
        expect(snapshot.checks?.map(withoutBegun)).toEqual(checks?.map(withoutBegun));
        expect(snapshot.groups).toEqual(groups);
        expect(snapshot.endedChecks).toEqual(endedChecks);
        expect(state.snapshot().checks).toBe(snapshot.checks);
        // If a snapshot is not rendered, the next one has more differences.
        if (place % 3 === 2) continue;
        const page = await renderer.render([snapshot]);
        const fresh = await aRenderer({ rowsPerRange: 2 }).render([snapshot]);
        expect(plainText(page, 'text')).toBe(plainText(fresh, 'text'));
      }
    }),
    { numRuns: extent(8, 120) },
  );
});

/** The first maintenance of a check is shown with 0 for some minutes, but not after a restart. */
function withoutBegun({ availability, ...row }: CheckRow) {
  const { maintenanceSeconds, ...others } = availability ?? {};
  return { ...row, ...others, hasMaintenance: maintenanceSeconds !== undefined };
}

function planOf(seconds: number): ReadonlyMap<DatasetName, number> {
  return new Map([
    ['checks', seconds],
    ['active_probes', seconds],
  ]);
}

async function take(
  state: AccountState,
  clock: VirtualClock,
  step: typeof accountStep extends fc.Arbitrary<infer S> ? S : never,
): Promise<void> {
  const now = clock.now() / 1000;
  if (step.act === 'pass') clock.suspend(step.seconds * 1000);
  if (step.act === 'plan') state.datasets.planned(planOf(step.seconds));
  if (step.act === 'detail') state.setDetail('check', step.id, 'activeProbes', step.probes);
  if (step.act === 'maintenance') {
    const fromSeconds = now + step.from;
    const toSeconds = fromSeconds + step.length;
    const window = { startAtSeconds: fromSeconds, endAtSeconds: toSeconds };
    await state.setMaintenance({
      windows: [{ id: 5, recurrence: 'none', checkIds: step.ids, transactionIds: [], ...window }],
      occurrences: [{ maintenanceId: 5, fromSeconds, toSeconds }],
    });
  }
  if (step.act === 'list') {
    const checks = step.checks.map(({ id: of, name, tag, status: is }): Check => {
      const tags = [{ name: tag, source: 'user' as const }];
      const age = of % 2 === 0 ? 60 * day : 2 * minute;
      const times = {
        createdAtSeconds: start - age,
        lastTestAtSeconds: now,
        resolutionSeconds: 60,
      };
      return { id: of, name, tags, status: is, type: 'http', ...times };
    });
    state.list('check', checks, () => totalsAt(now, 'up'));
    const outages = state.listedOutages('check', true);
    await state.totals.commit(() => ({
      checks: new Map(state.checks.removed),
      ...(outages !== undefined && { outages }),
    }));
  }
  if (step.act === 'count') {
    const former = state.checks.get(step.id)?.totals;
    const totals = totalsAt(now, step.state === 'up' ? 'up' : 'down', former);
    if (former !== undefined)
      await state.totals.commit(() => ({ checks: new Map([[step.id, totals]]) }));
  }
}

/** In one state up to now, with a history if it was ever down. */
function totalsAt(nowSeconds: number, state: 'up' | 'down', former?: CheckTotals): CheckTotals {
  const changes = former?.log?.changes ?? new StateChanges(['up'], [start - 35 * day]);
  const hasFailed = former?.log !== undefined || state === 'down';
  const last = changes.at(-1)?.state;
  const next = last === state ? changes : changes.with([{ state, fromSeconds: nowSeconds - 30 }]);
  return {
    states: {
      startSeconds: start - day,
      horizonSeconds: nowSeconds,
      state,
      resolutionSeconds: 60,
    },
    ...noEvents(start),
    ...(hasFailed && {
      log: { ...emptyLog(start - 35 * day), changes: next },
    }),
    ...(former?.maintenance !== undefined && { maintenance: former.maintenance }),
  };
}

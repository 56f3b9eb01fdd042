import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { datasetNames } from '../../../src/domain/dataset.ts';
import { accountFamilies } from '../../../src/exposition/catalogue/account-families.ts';
import { checkFamilies } from '../../../src/exposition/catalogue/catalogue.ts';
import { formats } from '../../../src/exposition/formats.ts';
import { LabelPolicy } from '../../../src/exposition/labels/label-policy.ts';
import { PageRenderer } from '../../../src/exposition/page/page-renderer.ts';
import type { AccountSnapshot, CheckRow } from '../../../src/state/snapshot.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { anyCheck, anyChecks, anyTransactions } from '../support/arbitraries.ts';
import { plainRendering } from '../support/plain-renderer.ts';
import { aRenderer, gzipOf, plainText, renderedFamilies, samplesOf } from '../support/rendering.ts';
import { aSnapshot, everyDataset, fullCheck, fullSnapshot } from '../support/snapshots.ts';

const hundredChecks = Array.from({ length: 100 }, (_, index) => fullCheck(index + 1));

/** The hundred checks, with changes in those with the given ids. */
function changed(
  change: (check: CheckRow) => Partial<CheckRow>,
  ...ids: readonly number[]
): CheckRow[] {
  return hundredChecks.map((check) =>
    ids.includes(check.id) ? { ...check, ...change(check) } : check,
  );
}

async function renderedAfter(checks: readonly CheckRow[]): Promise<string[]> {
  const renderer = aRenderer({ rowsPerRange: 10 });
  await renderer.render([aSnapshot({ checks: hundredChecks })]);
  return renderedFamilies(() => renderer.render([aSnapshot({ checks })]));
}

describe('PageRenderer', () => {
  it('renders after any changes byte for byte what the plainest renderer does, in one gzip member', async () => {
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), check: anyCheck }),
      fc.record({ kind: fc.constant('touch' as const), check: anyCheck }),
      fc.record({ kind: fc.constant('delete' as const), check: anyCheck }),
    );
    const step = fc.record({
      account: fc.constantFrom('one', 'two'),
      edits: fc.array(edit, { maxLength: 8 }),
      transactions: anyTransactions,
      unknown: fc.boolean(),
      stale: fc.subarray([...datasetNames]),
      gone: fc.boolean(),
    });
    const policies = fc.constantFrom(
      new LabelPolicy({}),
      new LabelPolicy({
        promote: [{ from: 'hostname' }, { from: 'team:*', as: 'owner_team' }],
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        anyChecks,
        fc.array(step, { maxLength: 6 }),
        policies,
        async (checks, steps, labels) => {
          const renderer = aRenderer({ rowsPerRange: 4, labels });
          let accounts: Record<string, readonly CheckRow[]> = { one: checks, two: checks };
          let snapshots: AccountSnapshot[] = [];
          for (const { account, edits, transactions, unknown, stale, gone } of steps) {
            accounts = { ...accounts, [account]: edits.reduce(applyEdit, accounts[account] ?? []) };
            const outdated = stale.map((name) => [name, { stale: true }]);
            snapshots = Object.entries(accounts)
              .filter(([name]) => !(gone && name === account))
              .map(([name, list]) =>
                aSnapshot({
                  account: name,
                  transactions,
                  datasets: { ...everyDataset(), ...Object.fromEntries(outdated) },
                  ...(unknown && name === account ? {} : { checks: list }),
                }),
              );

            const page = await renderer.render(snapshots);

            for (const format of formats) {
              const text = plainRendering(snapshots, labels, format);
              expect(gunzipSync(gzipOf(page, format)).toString()).toBe(text);
              expect(plainText(page, format)).toBe(text);
              expect(page.prepared(format).length).toBe(Buffer.byteLength(text));
              if (format === 'text')
                expect(page.series).toBe(text.split('\n').filter(isSample).length);
            }
          }
        },
      ),
      { numRuns: extent(15, 60) },
    );
  });

  it('shares every block when nothing changed', async () => {
    expect(await renderedAfter(hundredChecks)).toEqual([]);
  });

  it('shares every block when checks are new objects with the same content', async () => {
    const copies = hundredChecks.map((check) => structuredClone(check));

    expect(await renderedAfter(copies)).toEqual([]);
  });

  it('renders one block of each family that what changed shows in', async () => {
    const rendered = await renderedAfter(changed(() => ({ status: 'down' }), 15));

    expect(rendered).toEqual(['uptime_check_up', 'uptime_check_status', 'uptime_checks']);
  });

  it('is byte for byte what the plainest renderer makes after changes in ranges of the usual size', async () => {
    const places = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 60 });
    const fields = fc.constantFrom<Partial<CheckRow>>(
      { status: 'down' },
      { lastTestAtSeconds: 1_800_000_000 },
      { lastResponseTimeSeconds: 0.25 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(places, fields), { maxLength: 5 }), async (steps) => {
        const renderer = aRenderer();
        let checks: readonly CheckRow[] = hundredChecks;
        await renderer.render([aSnapshot({ checks })]);
        for (const [ids, fields] of steps) {
          checks = checks.map((check) =>
            ids.includes(check.id) ? { ...check, ...fields } : check,
          );
          const snapshots = [aSnapshot({ checks })];
          const page = await renderer.render(snapshots);
          expect(plainText(page, 'text')).toBe(
            plainRendering(snapshots, new LabelPolicy({}), 'text'),
          );
        }
      }),
      { numRuns: extent(5, 15) },
    );
  });

  it('renders the blocks of the last test alone when all checks were tested again', async () => {
    const all = hundredChecks.map(({ id }) => id);

    const rendered = await renderedAfter(
      changed(() => ({ lastTestAtSeconds: 1_800_000_000 }), ...all),
    );

    expect(rendered).toEqual(Array(10).fill('uptime_check_last_test_timestamp_seconds'));
  });

  it('renders all families of one range when a check in it changed its name', async () => {
    const rendered = await renderedAfter(changed(() => ({ name: 'new' }), 15));

    expect(rendered.length).toBeLessThanOrEqual(24);
    expect(new Set(rendered).size).toBe(12);
  });

  it('renders the range of a deleted check only', async () => {
    const rendered = await renderedAfter(hundredChecks.filter(({ id }) => id !== 15));

    const families = rendered.filter((family) => family !== 'uptime_checks');
    expect(new Set(families).size).toBe(12);
    expect(families.length).toBeLessThanOrEqual(24);
  });

  it('shares the blocks whose text is the same though what they are made from changed', async () => {
    const availability = (up: number) => ({
      seconds: { up, down: 0, unknown: 0, unmonitored: 0 },
      outages: 1,
    });
    const renderer = aRenderer();
    const checks = (up: number) => [{ ...fullCheck(1), availability: availability(up) }];
    await renderer.render([aSnapshot({ checks: checks(60) })]);

    const rendered = await renderedFamilies(() =>
      renderer.render([aSnapshot({ checks: checks(120) })]),
    );

    expect(rendered).toEqual(['uptime_check_state_seconds_total']);
  });

  it('renders nothing again when data become stale and fresh again', async () => {
    const renderer = aRenderer();
    const snapshot = fullSnapshot();
    const fresh = await renderer.render([snapshot]);
    const series: number[] = [];
    const rendered = await renderedFamilies(async () => {
      for (const datasets of [everyDataset(true), everyDataset()]) {
        series.push((await renderer.render([{ ...snapshot, datasets }])).series);
      }
    });

    expect(rendered).toEqual([]);
    expect(series[0]).toBeLessThan(fresh.series);
    expect(series[1]).toBe(fresh.series);
  });

  it('leaves a page that was handed out as it was', async () => {
    const renderer = aRenderer();
    const page = await renderer.render([aSnapshot({ checks: hundredChecks })]);
    const before = plainText(page, 'text');

    await renderer.render([aSnapshot({ checks: changed(() => ({ status: 'down' }), 1) })]);

    expect(plainText(page, 'text')).toBe(before);
  });

  it('gives the event loop a turn once a slice of 10 ms is used up', async () => {
    let turns = 0;
    const renderer = new PageRenderer({
      clock: ticking(4),
      rowsPerRange: 10,
      yieldToEventLoop: async () => {
        turns++;
      },
    });

    await renderer.render([aSnapshot({ checks: hundredChecks })]);

    const blocks = 10 * checkFamilies.length + accountFamilies.length;
    expect(turns).toBeGreaterThan(blocks / 4);
    expect(turns).toBeLessThanOrEqual(blocks / 2);
  });

  it('shows how long the rendering took', async () => {
    const renderer = new PageRenderer({ clock: ticking(1), yieldToEventLoop: async () => {} });

    const page = await renderer.render([]);

    // The clock is read when it begins, for its first slice, and when it ends.
    expect(page.renderSeconds).toBe(0.002);
  });

  it('goes on with the next snapshots after a rendering failed', async () => {
    const renderer = aRenderer();
    const broken = aSnapshot();
    Object.defineProperty(broken, 'checks', {
      get: () => {
        throw new Error('broken');
      },
    });

    await expect(renderer.render([broken])).rejects.toThrow('broken');

    const page = await renderer.render([aSnapshot({ checks: [fullCheck(1)] })]);
    expect(samplesOf(page, 'uptime_check_info')).toHaveLength(1);
  });
});

function applyEdit(
  checks: readonly CheckRow[],
  { kind, check }: { kind: 'put' | 'touch' | 'delete'; check: CheckRow },
): readonly CheckRow[] {
  if (kind === 'touch') {
    return checks.map((old) => (old.id === check.id ? { ...old, status: check.status } : old));
  }
  const others = checks.filter(({ id }) => id !== check.id);
  if (kind === 'delete') return others;
  return [...others, check].sort((a, b) => a.id - b.id);
}

function isSample(line: string): boolean {
  return line !== '' && !line.startsWith('#');
}

/** A clock that advances by some milliseconds at every call. */
function ticking(milliseconds: number) {
  let time = 0;
  return { monotonic: () => (time += milliseconds) };
}

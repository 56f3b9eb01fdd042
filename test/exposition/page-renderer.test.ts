import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import { formats } from '../../src/exposition/format.ts';
import { PageRenderer } from '../../src/exposition/page-renderer.ts';
import type { AccountSnapshot } from '../../src/state/account-snapshot.ts';
import { anyCheck, anyChecks } from './support/arbitraries.ts';
import {
  aRenderer,
  freshPage,
  plainText,
  renderedFamilies,
  samplesOf,
  unzippedText,
} from './support/rendering.ts';
import { aSnapshot, fullCheck } from './support/snapshots.ts';

const hundredChecks = Array.from({ length: 100 }, (_, index) => fullCheck(index + 1));

/** The hundred checks with the ones of some ids changed. */
function changed(change: (check: Check) => Partial<Check>, ...ids: readonly number[]): Check[] {
  return hundredChecks.map((check) =>
    ids.includes(check.id) ? { ...check, ...change(check) } : check,
  );
}

async function renderedAfter(checks: readonly Check[]): Promise<string[]> {
  const renderer = aRenderer(10);
  const former = await renderer.render([aSnapshot({ checks: hundredChecks })]);
  return renderedFamilies(former, await renderer.render([aSnapshot({ checks })]));
}

describe('PageRenderer', () => {
  it('renders after any changes what it would render from scratch', async () => {
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), check: anyCheck }),
      fc.record({ kind: fc.constant('touch' as const), check: anyCheck }),
      fc.record({ kind: fc.constant('delete' as const), check: anyCheck }),
    );
    const step = fc.record({
      account: fc.constantFrom('one', 'two'),
      edits: fc.array(edit, { maxLength: 8 }),
      withdrawn: fc.boolean(),
      gone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyChecks, fc.array(step, { maxLength: 6 }), async (checks, steps) => {
        const renderer = aRenderer(4);
        let accounts: Record<string, readonly Check[]> = { one: checks, two: checks };
        let snapshots: AccountSnapshot[] = [];
        for (const { account, edits, withdrawn, gone } of steps) {
          accounts = { ...accounts, [account]: edits.reduce(applyEdit, accounts[account] ?? []) };
          snapshots = Object.entries(accounts)
            .filter(([name]) => !(gone && name === account))
            .map(([name, list]) =>
              aSnapshot({
                account: name,
                ...(withdrawn && name === account ? {} : { checks: list }),
              }),
            );

          const page = await renderer.render(snapshots);

          const fresh = await freshPage(...snapshots);
          for (const format of formats) {
            expect(plainText(page, format)).toBe(plainText(fresh, format));
            expect(unzippedText(page, format)).toBe(plainText(fresh, format));
          }
          expect(page.series).toBe(fresh.series);
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('shares every block when nothing changed', async () => {
    expect(await renderedAfter(hundredChecks)).toEqual([]);
  });

  it('shares every block when checks are new objects with the same content', async () => {
    const copies = hundredChecks.map((check) => structuredClone(check));

    expect(await renderedAfter(copies)).toEqual([]);
  });

  it('renders one block of each family that reads what changed', async () => {
    const rendered = await renderedAfter(changed(() => ({ status: 'down' }), 15));

    expect(rendered).toEqual([
      'uptime_checks',
      'uptime_check_up',
      'uptime_check_status',
      'uptime_check_paused',
    ]);
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

    expect(rendered).toHaveLength(12);
    expect(new Set(rendered).size).toBe(12);
  });

  it('renders the range of a deleted check only', async () => {
    const rendered = await renderedAfter(hundredChecks.filter(({ id }) => id !== 15));

    expect(rendered.filter((family) => family !== 'uptime_checks')).toHaveLength(12);
  });

  it('leaves a page that was handed out as it was', async () => {
    const renderer = aRenderer();
    const page = await renderer.render([aSnapshot({ checks: hundredChecks })]);
    const before = plainText(page, 'text');

    await renderer.render([aSnapshot({ checks: changed(() => ({ status: 'down' }), 1) })]);

    expect(plainText(page, 'text')).toBe(before);
  });

  it('renders the latest of the snapshots that wait, and no other', async () => {
    const renderer = aRenderer();
    const at = (name: string) => [aSnapshot({ checks: [{ ...fullCheck(1), name }] })];

    const [first, second, third] = await Promise.all([
      renderer.render(at('first')),
      renderer.render(at('second')),
      renderer.render(at('third')),
    ]);

    expect(second).toBe(third);
    expect(first).toBe(third);
    expect(samplesOf(third, 'uptime_check_info')[0]?.labels.name).toBe('third');
  });

  it('renders one after the other when asked during a rendering', async () => {
    let letGo = () => {};
    const renderer = new PageRenderer({
      clock: ticking(20),
      yieldToEventLoop: () => new Promise((resolve) => (letGo = resolve)),
    });
    const at = (name: string) => [aSnapshot({ checks: [{ ...fullCheck(1), name }] })];
    const finished: string[] = [];
    const show = async (name: string) => {
      const page = await renderer.render(at(name));
      finished.push(samplesOf(page, 'uptime_check_info')[0]?.labels.name ?? '');
    };
    const renderings = [show('first')];
    await turn();
    renderings.push(show('second'), show('third'));

    while (finished.length < 3) {
      letGo();
      await turn();
    }

    await Promise.all(renderings);
    expect(finished).toEqual(['first', 'third', 'third']);
  });

  it('gives the event loop a turn once a slice of 10 ms is used up', async () => {
    let turns = 0;
    const renderer = new PageRenderer({
      clock: ticking(4),
      checksPerRange: 10,
      yieldToEventLoop: async () => {
        turns++;
      },
    });

    await renderer.render([aSnapshot({ checks: hundredChecks })]);

    const blocks = 10 * 12 + 16;
    expect(turns).toBeGreaterThan(blocks / 4);
    expect(turns).toBeLessThanOrEqual(blocks / 2);
  });

  it('says how long the rendering took', async () => {
    const renderer = new PageRenderer({ clock: ticking(1), yieldToEventLoop: async () => {} });

    const page = await renderer.render([]);

    expect(page.renderSeconds).toBeCloseTo(0.001);
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
  checks: readonly Check[],
  { kind, check }: { kind: 'put' | 'touch' | 'delete'; check: Check },
): readonly Check[] {
  if (kind === 'touch') {
    return checks.map((old) => (old.id === check.id ? { ...old, status: check.status } : old));
  }
  const others = checks.filter(({ id }) => id !== check.id);
  if (kind === 'delete') return others;
  return [...others, check].sort((a, b) => a.id - b.id);
}

/** A clock on which each look takes some milliseconds. */
function ticking(milliseconds: number) {
  let time = 0;
  return { monotonic: () => (time += milliseconds) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

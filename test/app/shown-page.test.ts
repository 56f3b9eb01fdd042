import { expect, it, vi } from 'vitest';
import { ShownPage } from '../../src/app/shown-page.ts';
import { anExposition } from '../exposition/support/exposing.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ignore = () => {};
const exposition = anExposition([]);
const settings = {
  accounts: () => ({
    areShared: false,
    names: [],
    shown: [],
    showsRemoved: true,
    removedSnapshots: () => [],
  }),
  pace: { clock: new VirtualClock(), minIntervalMilliseconds: 1_000 },
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  workload: undefined,
};

it('says that checks are shown when they are rendered, so that the heap may fill until then', async () => {
  const steps: string[] = [];
  const shown = new ShownPage({
    ...settings,
    exposition: {
      show: async (snapshots) => {
        const page = await exposition.show(snapshots);
        steps.push('rendered');
        return page;
      },
      read: (...selection) => exposition.read(...selection),
    },
    workload: {
      threadStarted: ignore,
      decoding: ignore,
      showing: (checks) => steps.push(`${checks} checks`),
    },
  });
  await shown.showNow();

  expect(steps).toEqual(['rendered', '0 checks']);
});

it('logs once, and says as long as it is so, that the page has grown past what VictoriaMetrics reads by default', async () => {
  const mebibytes = [15, 16, 17, 40, 15, 17];
  const info = vi.fn();
  const shown = new ShownPage({
    ...settings,
    exposition: {
      show: async () => ({ bytes: { identity: (mebibytes.shift() ?? 0) * 2 ** 20, gzip: 0 } }),
      read: (...selection) => exposition.read(...selection),
    },
    log: { ...settings.log, info },
  });

  const logged: unknown[][] = [];
  const large: boolean[] = [];
  while (mebibytes.length > 0) {
    await shown.showNow();
    logged.push(info.mock.calls.splice(0));
    large.push(shown.large !== undefined);
  }

  const line = (bytes: number) => [
    [
      { bytes: bytes * 2 ** 20, limit_bytes: 16_777_216 },
      'page is larger than VictoriaMetrics reads by default',
    ],
  ];
  expect(logged).toEqual([[], [], line(17), [], [], line(17)]);
  expect(large).toEqual([false, false, true, true, false, true]);
});

it.each([
  [true, ['unknown']],
  [false, ['elsewhere', 'unknown']],
])(
  'passes over chosen accounts that other replicas serve, if replicas share them: %s',
  async (areShared, chosen) => {
    const asked: unknown[] = [];
    const shown = new ShownPage({
      ...settings,
      accounts: () => ({ ...settings.accounts(), areShared, names: ['elsewhere'] }),
      exposition: {
        show: (snapshots) => exposition.show(snapshots),
        read: (format, encoding, selection) => {
          asked.push(selection);
          return exposition.read(format, encoding);
        },
      },
    });
    const accounts = new Set(['elsewhere', 'unknown']);
    await shown.source.read('text', 'identity', { accounts });
    await shown.source.read('text', 'identity');

    expect(asked).toEqual([{ accounts: new Set(chosen) }, {}]);
  },
);

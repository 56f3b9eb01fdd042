import { bearerToken } from '../api/http/authentication.ts';
import type { memoryStorage } from '../app/create-exporter.ts';
import { Exporter } from '../app/exporter.ts';
import type { Build } from '../app/version.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Scrubber, Secret } from '../lib/secret.ts';
import { type StartOptions, startSandbox } from '../sandbox/running-sandbox.ts';
import { SteppedClock } from '../sandbox/simulation/clocks.ts';

type Store = ReturnType<typeof memoryStorage>;

/** Requests are spread over the window while they might run out, and a larger number is not believed. */
const ampleLimit = 1_000_000_000;
/** Everything that is tested at all is tested within them; the short ones at the end tell how an outage went on. */
const stepMinutes = [30, 12, 8, 5, 4, 2, 1, 1, 1, 1];
/** It ends a little before now, so that the exporter of the demo finds its lists due at once. */
const endsBeforeMinutes = 2;
const pastMilliseconds =
  60_000 * stepMinutes.reduce((sum, minutes) => sum + minutes, endsBeforeMinutes);
/** No request for so long: what is due has been read. */
const quietMilliseconds = 150;
/** An account that takes longer is shown with less of its past. */
const maxMilliseconds = 20_000;

interface DemoPastOptions {
  readonly account: string;
  readonly token: string;
  /** The account of the demo. */
  readonly simulated: Omit<
    StartOptions,
    'clock' | 'limitsClock' | 'host' | 'port' | 'token' | 'shortLimit' | 'longLimit'
  >;
  readonly store: Store;
  readonly build: Build;
}

/**
 * Fills the store with what an exporter knows that has read the account for an hour: it is run in some seconds, on
 * a clock that is moved ahead, against a copy of the simulated service that has no limits. What was spent there is
 * forgotten.
 */
export async function readDemoPast(options: DemoPastOptions): Promise<void> {
  const { account, token, simulated, store, build } = options;
  const clock = new SteppedClock(systemClock, pastMilliseconds);
  const service = await startSandbox({
    ...simulated,
    ...{ clock, limitsClock: clock, token, host: '127.0.0.1', port: 0 },
    ...{ shortLimit: ampleLimit, longLimit: ampleLimit },
  });
  const secret = new Secret(token);
  const exporter = new Exporter({
    accounts: [
      {
        ...{ name: account, baseUrl: service.url, version: '3.1' },
        authentication: bearerToken(secret),
      },
    ],
    ...{ listenOn: ['127.0.0.1:0'], telemetryPath: '/metrics', maxRequests: 1 },
    ...{ build, clock, random: Math.random },
    store: keptOpen(store),
    log: silent,
    scrubber: new Scrubber([secret]),
  });
  const end = systemClock.monotonic() + maxMilliseconds;
  try {
    await exporter.start();
    await untilQuiet(() => service.journal.total, end);
    for (const minutes of stepMinutes) {
      clock.step(minutes * 60_000);
      await untilQuiet(() => service.journal.total, end);
    }
  } finally {
    await exporter.stop();
    await service.close();
  }
  await store.commit({ account, documents: new Map([['budget', null]]) });
}

/** An exporter closes its store when it stops; this one is still needed. */
function keptOpen(store: Store): Store {
  return {
    load: (account) => store.load(account),
    commit: (changes) => store.commit(changes),
    close: async () => {},
  };
}

async function untilQuiet(requests: () => number, endMilliseconds: number): Promise<void> {
  let before = -1;
  while (requests() !== before && systemClock.monotonic() < endMilliseconds) {
    before = requests();
    await systemClock.sleep(quietMilliseconds);
  }
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

import dns from 'node:dns';
import { request } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { Authority } from '../support/certificates.ts';
import type { Samples } from '../support/counter-watch.ts';
import { extent } from '../support/extent.ts';
import { plantPast } from '../support/first-hours.ts';
import { Relay } from '../support/relay.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { expectTheTruth } from '../support/the-truth.ts';
import { missing } from '../support/tools.ts';

const minute = 60;
const hour = 60 * minute;
const name = 'monitoring.example';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Checks that are all down for some time within the next hours. */
async function createUnruly(): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({
    checks: 5,
    transactions: 1,
    isConnected: true,
    // The service itself refuses nothing.
    wire: { stray401: 0, stray403: 0 },
  });
  const { world } = exporter.sandbox;
  for (const [position, { id }] of world.checks.entries()) {
    for (let start = 40 + 15 * position; start < 24 * 60; start += 100) {
      const from = exporter.now + start * minute;
      world.plant({ checkId: id, status: 'down', from, to: from + 18 * minute });
    }
  }
  return exporter;
}

/**
 * Advances the clock with scrapes and other requests every minute. The age of the data is visible.
 */
async function passScraped(exporter: RestartableExporter, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += minute) {
    await exporter.pass(minute);
    await exporter.scrape();
  }
}

function failuresOfList(samples: Samples): Record<string, number> {
  const sample =
    /^uptime_exporter_dataset_errors_total\{account="shop",dataset="checks",reason="(\w+)"\}$/;
  return Object.fromEntries(
    [...samples].flatMap(([name, count]) => {
      const [, reason] = sample.exec(name) ?? [];
      return reason === undefined || count === 0 ? [] : [[reason, count]];
    }),
  );
}

type Lookup = (host: string, options: object, answer: (...answers: unknown[]) => void) => void;

/**
 * One name that resolves to this machine while the test requires it. Others are resolved as usual.
 */
class FakeNames {
  known = true;

  constructor() {
    const lookUp: Lookup = dns.lookup;
    vi.spyOn(dns, 'lookup').mockImplementation(((host, options, answer) => {
      if (host !== name) lookUp(host, options, answer);
      else if (this.known) answer(null, [{ address: '127.0.0.1', family: 4 }]);
      else answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
    }) as Lookup as typeof dns.lookup);
  }
}

interface Trouble {
  readonly reason: string;
  /** The operator's log lines. */
  readonly told: RegExp;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * During each fault, the exporter serves all scrapes, logs the fault once, retries rarely, and
 * loses nothing.
 */
const lasting = extent(15 * minute, hour);

async function endure(exporter: RestartableExporter, troubles: readonly Trouble[]): Promise<void> {
  await passScraped(exporter, 30 * minute);
  for (const { reason, told, begin, end } of troubles) {
    const before = failuresOfList(await exporter.scrape())[reason] ?? 0;
    const logged = exporter.log.length;
    await begin();
    await passScraped(exporter, lasting);
    const during = await exporter.scrape();
    await end();
    await passScraped(exporter, lasting);

    expect(Object.keys(failuresOfList(during))).toContain(reason);
    const attempts = (failuresOfList(during)[reason] ?? 0) - before;
    expect([reason, attempts]).toEqual([reason, expect.toSatisfy((n) => n >= 2 && n <= 30)]);
    expect(during.get('uptime_up{account="shop"}')).toBe(0);
    const lines = exporter.log.slice(logged).filter((line) => line.includes('dataset=checks'));
    const loud = lines.filter((line) => /level=(?:warn|error)/.test(line));
    expect(loud).toEqual([expect.stringMatching(told)]);
    expect((await exporter.scrape()).get('uptime_up{account="shop"}')).toBe(1);
  }
  await exporter.pass(hour);
  await expectTheTruth(exporter);
}

test('a closed port and a name that does not resolve are endured, and what was missed is made up for', async () => {
  const exporter = await createUnruly();
  const relay = await Relay.start(exporter.sandbox.url);
  const names = new FakeNames();
  await exporter.start({ baseUrl: `http://${name}:${relay.port}` });

  await endure(exporter, [
    {
      reason: 'connection',
      told: /ECONNREFUSED/,
      begin: () => relay.cut(),
      end: () => relay.listen(),
    },
    {
      reason: 'dns',
      told: new RegExp(`ENOTFOUND ${name}`),
      begin: async () => {
        await relay.cut();
        await relay.listen();
        names.known = false;
      },
      end: async () => {
        names.known = true;
      },
    },
  ]);
});

test.skipIf(missing('openssl'))(
  'certificates that are expired, of another host, or of an unknown authority are endured, and what was missed is made up for',
  async () => {
    const exporter = await createUnruly();
    const folder = await temporaryFolder();
    const authority = new Authority(folder);
    const good = authority.issue('good');
    const relay = await Relay.start(exporter.sandbox.url, { certificate: good });
    const { certificate } = authority;
    await exporter.start({
      baseUrl: `https://localhost:${relay.port}`,
      caCertificates: certificate,
    });
    const trouble = (told: RegExp, certificate: typeof good | undefined): Trouble => ({
      reason: certificate === undefined ? 'not_tls' : 'tls',
      told,
      begin: async () => {
        await relay.cut();
        await relay.listen(certificate);
      },
      end: async () => {
        await relay.cut();
        await relay.listen(good);
      },
    });

    await endure(exporter, [
      trouble(/certificate has expired/, authority.issue('expired', -1)),
      trouble(/does not match certificate/, authority.issue('other', 1, 'DNS:other.example')),
      trouble(/unable to verify|self-signed/, new Authority(folder, 'unknown').issue('untrusted')),
      trouble(/wrong version number|packet length/, undefined),
    ]);
  },
);

describe('while the past is unread', () => {
  const create = () =>
    RestartableExporter.create({
      checks: 60,
      transactions: 0,
      shortLimit: 100,
      longLimit: 72_000,
    });

  async function reportedBy(exporter: RestartableExporter) {
    const [status, page] = await Promise.all(
      ['/status.json', '/'].map(async (path) =>
        (await request(`${exporter.url}${path}`)).body.text(),
      ),
    );
    const { accounts } = JSON.parse(status ?? '') as { accounts: { first_sight: object }[] };
    const samples = await exporter.scrape();
    return {
      ...accounts[0]?.first_sight,
      text: /The past of [^<]*/.exec(page ?? '')?.[0],
      metric: samples.get('uptime_exporter_past_read_timestamp_seconds{account="shop"}'),
    };
  }

  function expectNoTime(reported: Awaited<ReturnType<typeof reportedBy>>) {
    expect(reported).toHaveProperty('is_read', true);
    expect(reported).not.toHaveProperty('done');
    expect(reported.metric).toBeUndefined();
    expect(reported.text).toMatch(
      /^The past of \d+ checks is read when the account can be read again\./,
    );
  }

  const troubles: [string, (sandbox: RestartableExporter['sandbox']) => void][] = [
    ['refuses the credentials', ({ faults }) => faults.inject({ kind: 'unauthorized' })],
    [
      'has only the reserve left',
      ({ limits }) => limits.otherClientSpends(limits.reading('short').remaining - 20),
    ],
  ];
  test.each(troubles)('no time is promised for it if the service %s', async (_, begin) => {
    const exporter = await create();
    plantPast(exporter, { checks: 60, open: 2, recent: 20, old: 38 });
    await exporter.start();
    await exporter.pass(minute);
    expect(await reportedBy(exporter)).toMatchObject({
      done: expect.any(Number),
      text: expect.stringMatching(/^The past of \d+ checks is being read, done (about|between) /),
      metric: expect.any(Number),
    });

    begin(exporter.sandbox);
    await exporter.pass(10 * minute);

    expectNoTime(await reportedBy(exporter));
  });

  test('nothing is called switched off if the first list took the last request', async () => {
    const exporter = await create();
    plantPast(exporter, { checks: 60, open: 2, recent: 20, old: 38 });
    exporter.sandbox.faults.inject({ kind: 'nothing-left-limit-headers' });
    await exporter.start();
    await exporter.pass(minute);

    expectNoTime(await reportedBy(exporter));
  });
});

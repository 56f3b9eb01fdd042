import { crc32, createInflateRaw } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../../src/http/server/listen.ts';
import { anExposition } from '../../exposition/support/exposing.ts';
import { fullRow, fullSnapshot } from '../../exposition/support/snapshots.ts';
import { testApp } from '../../support/http-app.ts';
import { parseExposition } from '../../support/openmetrics-parser.ts';
import { startPrometheus } from '../../support/prometheus.ts';
import { accountsByState } from '../../support/snapshots.ts';
import { missing } from '../../support/tools.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const text = 'text/plain';
const openMetrics = 'application/openmetrics-text';

/** Every kind of response; the last field is the number of accounts whose checks it has. */
const responses: readonly (readonly [path: string, accept: string, accounts: number])[] = [
  ['/metrics', text, 2],
  ['/metrics', openMetrics, 2],
  ['/metrics?account=two', text, 1],
  ['/metrics?account=two', openMetrics, 1],
  ['/metrics?dataset[]=checks&dataset[]=results', text, 2],
  ['/metrics?dataset[]=exporter', openMetrics, 0],
  ['/metrics?compat=kokuwaio&account=one', text, 1],
];

/** More checks than have their text in one block. */
const checksPerAccount = 100;

describe('a compressed response', () => {
  let server: RunningServer;

  beforeAll(async () => {
    const snapshots = ['one', 'two'].map((account) =>
      fullSnapshot({
        account,
        checks: Array.from({ length: checksPerAccount }, (_, place) => fullRow(place + 1)),
      }),
    );
    const metrics = anExposition(snapshots);
    await metrics.show(snapshots);
    const accounts = snapshots.map((snapshot) => ({ ...accountsByState.ok, snapshot }));
    const app = testApp({ metrics, accounts });
    server = await listen(app, '127.0.0.1:0', new VirtualClock());
  });

  afterAll(() => server.close(0));

  /** The text as it is served without compression, without the numbers of this very process. */
  const plainText = async (path: string, accept: string) =>
    withoutProcess((await fetched(server.url + path, accept, 'identity')).toString());

  test.each(responses)(
    '%s as %s has the checks of every account once',
    async (path, accept, accounts) => {
      const format = accept === text ? 'text' : 'openmetrics';
      const body = (await fetched(server.url + path, accept, 'identity')).toString();

      const families = parseExposition(body, format);

      const up = families.find(({ name }) =>
        /^(uptime_check_up|pingdom_uptime_status)$/.test(name),
      );
      expect(up?.samples.length ?? 0).toBe(accounts * checksPerAccount);
    },
  );

  test.each(responses)(
    '%s as %s is one gzip member with its CRC and length',
    async (path, accept) => {
      const bytes = await fetched(server.url + path, accept, 'gzip');

      const { text: read, consumed } = await firstMember(bytes);

      expect(consumed).toBe(bytes.length);
      expect(withoutProcess(read)).toBe(await plainText(path, accept));
    },
  );

  test.each(['prometheus', 'prometheus-3'] as const)('is read whole by %s', async (program) => {
    if (missing(program)) return;
    const paths = [...new Set(responses.map(([path]) => path))];
    const { host } = new URL(server.url);
    const prometheus = await startPrometheus(host, {
      server: program,
      scrapeConfigs: paths.map((path, place) => ({
        job_name: `response-${place}`,
        params: parametersOf(path),
        static_configs: [{ targets: [host] }],
      })),
    });
    for (const [place, path] of paths.entries()) {
      // Node.js adds series of its own from time to time.
      const [stored] = await prometheus.eventually(
        `count({job="response-${place}", __name__=~"(uptime|pingdom)_.+"})`,
      );

      const served = (await fetched(server.url + path, text, 'identity')).toString();
      expect(stored?.value, path).toBe(served.match(/^(?:uptime|pingdom)_/gm)?.length);
    }
  });
});

async function fetched(url: string, accept: string, encoding: string): Promise<Buffer> {
  const { body, headers } = await request(url, {
    headers: { accept, 'accept-encoding': encoding },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  expect(headers['content-length']).toBe(`${bytes.length}`);
  return bytes;
}

/**
 * Reads the first gzip member by RFC 1952: ten bytes of header, deflated text up to its last block,
 * CRC-32 and length. `consumed` is the number of bytes up to the end of the member.
 */
async function firstMember(bytes: Buffer): Promise<{ text: string; consumed: number }> {
  const headerLength = 10;
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x1f, 0x8b, 8, 0]));
  const inflate = createInflateRaw();
  const parts: Buffer[] = [];
  inflate.on('data', (part: Buffer) => parts.push(part));
  await new Promise<void>((resolve, reject) => {
    inflate.on('error', reject);
    inflate.on('end', resolve);
    inflate.end(bytes.subarray(headerLength));
  });
  const plain = Buffer.concat(parts);
  const end = headerLength + inflate.bytesWritten;
  expect(bytes.readUInt32LE(end)).toBe(crc32(plain));
  expect(bytes.readUInt32LE(end + 4)).toBe(plain.length);
  return { text: plain.toString(), consumed: end + 8 };
}

/** Omits the families of Node.js and the process, which change from one scrape to the next. */
function withoutProcess(body: string): string {
  expect(body).toMatch(/\n$/);
  return body.replace(/^(?:# [A-Z]+ )?(?:process|nodejs)_.*\n/gm, '');
}

function parametersOf(path: string): Record<string, string[]> {
  const { searchParams } = new URL(path, 'http://exporter');
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]),
  );
}

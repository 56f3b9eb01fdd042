import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import snappy from 'snappyjs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashUnit } from '../../../src/lib/random.ts';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { BackfilledPrometheus, type QueriedSeries } from '../../support/backfilled-prometheus.ts';
import { patience } from '../../support/patience.ts';
import { findTool, missing } from '../../support/tools.ts';
import { VictoriaMetrics } from '../../support/victoria-metrics.ts';
import { day, fakeExporter, from, itemWith } from '../support/fake-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';

const seam = from + 2 * day + 17;
const labels = (id: number) => `account="shop",check_id="${id}",name="Check ${id}"`;
const live = [1, 2]
  .map(
    (id) =>
      `uptime_check_state_seconds_total{${labels(id)},state="up",job="up",instance="x:1"} 60 ${seam + 60}\n`,
  )
  .join('');
const liveText = `# TYPE uptime_check_state_seconds counter\n${live}# EOF\n`;

/** A server with the live series of two checks. */
interface Target {
  readonly url: string;
  query(expression: string, atSeconds?: number): Promise<QueriedSeries[]>;
}

async function prometheusWith(window?: string, flags?: readonly string[]): Promise<Target> {
  const binary = findTool('prometheus-3') ?? '';
  const server =
    window === undefined
      ? await BackfilledPrometheus.create(binary, {}, flags)
      : await BackfilledPrometheus.receiving(binary, window);
  await server.importText(findTool('promtool-3') ?? '', liveText);
  await server.start();
  return server;
}

async function victoriaMetrics(): Promise<Target> {
  const server = await VictoriaMetrics.start(findTool('victoria-metrics') ?? '');
  await server.importText(liveText);
  return server;
}

const flagsTo = async (target: Pick<Target, 'url'>, exporter: string) => ({
  ...{ exporter, from: `${from}`, prometheus: target.url },
  ...{
    remoteWrite: `${target.url}/api/v1/write`,
    output: join(await temporaryFolder(), 'history'),
  },
});

const servers = [
  ...(missing('prometheus-3')
    ? []
    : [{ name: 'Prometheus 3', start: () => prometheusWith('30d') }]),
  ...(missing('victoria-metrics') ? [] : [{ name: 'VictoriaMetrics', start: victoriaMetrics }]),
];

describe.each(servers)('remote write to $name', ({ start }) => {
  test('continues the live series, once', async () => {
    const target = await start();
    const exporter = await fakeExporter([1, 2].map((id) => itemWith({ id })));
    const flags = await flagsTo(target, exporter.url);
    const told = await runBackfill(flags);
    expect(told).toContain('Sent');
    const selector = (state: string) =>
      `uptime_check_state_seconds_total{check_id="1",state="${state}"}`;
    // A server may show samples some seconds after it received them. These are the last.
    const last = () => target.query('uptime_check_outages_total{check_id="2"}[1h]', seam + 1);
    await vi.waitFor(async () => expect(await last()).toHaveLength(1), patience);
    const up = await target.query(`${selector('up')}[3d]`, seam + 61);
    expect(up[0]?.samples.length).toBeGreaterThan(500);
    expect(up).toHaveLength(1);
    expect(up[0]?.labels).toMatchObject({ job: 'up', instance: 'x:1', name: 'Check 1' });
    expect(up[0]?.samples.slice(-3)).toEqual([
      [seam - 0.001, seam - from - 120],
      [seam, 0],
      [seam + 60, 60],
    ]);
    // The check was up except for two minutes, so each sample has the seconds up to its time.
    for (const [at, value] of up[0]?.samples.slice(0, -2) ?? []) {
      const down = Math.min(120, Math.max(0, Math.ceil(at) - from - 7_260));
      expect({ at, value }).toEqual({ at, value: Math.ceil(at) - from - down });
    }
    const [down] = await target.query(`${selector('down')}[3d]`, seam + 1);
    expect(down?.samples.slice(-2)).toEqual([
      [seam - 0.001, 120],
      [seam, 0],
    ]);
    const verified = await runBackfill({ ...flags, verify: true });
    expect(verified).toContain('The server has what the service reported');
    const again = { ...flags, output: `${flags.output}-2` };
    await expect(runBackfill(again)).rejects.toThrow('there is no history that can be written');
  });
});

describe.skipIf(missing('prometheus-3'))('a Prometheus that does not take the samples', () => {
  test.each([
    ['old ones', '1h', 'out_of_order_time_window: 6d'],
    ['any', undefined, 'Start Prometheus with --web.enable-remote-write-receiver'],
  ])('%s: its response is shown, with what to set', async (_, window, advice) => {
    const target = await prometheusWith(window);
    const exporter = await fakeExporter([1, 2].map((id) => itemWith({ id })));
    const flags = await flagsTo(target, exporter.url);
    const error = await runBackfill(flags).catch((reason: Error) => reason.message);
    expect(error).toMatch(/the server of --remote-write at \S+ responded with 40[04]: /);
    expect(error).toContain(advice);
    const manifest = readFileSync(join(flags.output, 'backfill.json'), 'utf8');
    expect(JSON.parse(manifest).days).toEqual([]);
  });
});

/** The series of a request of remote write 1.0, read by its field numbers. */
function* seriesIn(body: Buffer): Iterable<QueriedSeries> {
  const request = new BinaryReader(new Uint8Array(snappy.uncompress(body)));
  while (request.pos < request.len) {
    request.tag();
    const message = new BinaryReader(request.bytes());
    const labels: Record<string, string> = {};
    const samples: [number, number][] = [];
    while (message.pos < message.len) {
      const [field] = message.tag();
      const part = new BinaryReader(message.bytes());
      part.tag();
      if (field === 1) {
        const name = part.string();
        part.tag();
        labels[name] = part.string();
      } else {
        const value = part.double();
        part.tag();
        samples.push([Number(part.int64()) / 1000, value]);
      }
    }
    yield { labels, samples };
  }
}

/**
 * A remote-write server. It responds with these statuses first, then accepts everything, and keeps
 * no sample of the days in `lost`.
 */
async function receiver(statuses: number[], text = 'busy') {
  const bodies: Buffer[] = [];
  const authorizations: (string | undefined)[] = [];
  const lost = new Set<string>();
  const kept = new Map<string, { readonly labels: object; readonly values: Map<number, number> }>();
  const keep = ({ labels, samples }: QueriedSeries) => {
    const key = JSON.stringify(labels);
    const { values } = kept.get(key) ?? { values: new Map<number, number>() };
    kept.set(key, { labels, values });
    for (const [at, value] of samples) {
      if (!lost.has(dayOf(at))) values.set(at, value);
    }
  };
  const liveOf = (id: number) => ({
    ...{ job: 'up', account: 'shop', check_id: `${id}` },
    name: `Check ${id}`,
  });
  /** `NAME{LABEL="VALUE",…}[SECONDS]` is all that the verification asks for. */
  const query = (parameters: URLSearchParams) => {
    const [, name = '', matchers = '', length = ''] =
      /^(\w+)\{(.*)\}\[(\d+)s\]$/.exec(parameters.get('query') ?? '') ?? [];
    const wanted = Object.fromEntries(
      [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]),
    );
    const to = Number(parameters.get('time'));
    return [...kept.values()].flatMap(({ labels, values }) => {
      const found = Object.entries({ __name__: name, ...wanted }).every(
        ([label, value]) => (labels as Record<string, string>)[label] === value,
      );
      const within = [...values].filter(([at]) => at > to - Number(length) && at <= to);
      if (!found || within.length === 0) return [];
      const sorted = within.sort(([a], [b]) => a - b);
      return [{ metric: labels, values: sorted.map(([at, value]) => [at, `${value}`]) }];
    });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET') {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const [, id = ''] = /check_id="(\d+)"/.exec(searchParams.get('match[]') ?? '') ?? [];
      const series = searchParams.get('start') === '0' ? [] : [liveOf(Number(id))];
      const data = pathname.endsWith('/query') ? { result: query(searchParams) } : series;
      response.end(JSON.stringify({ data }));
      return;
    }
    const body = Buffer.concat(chunks);
    bodies.push(body);
    authorizations.push(request.headers.authorization);
    const status = statuses.shift() ?? 204;
    if (status === 204) for (const series of seriesIn(body)) keep(series);
    response.writeHead(status).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, bodies, authorizations, lost };
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** The ranges are random, but the same in every run. The last 30 days begin on the first day. */
let draws = 0;
const options = {
  random: () => hashUnit(11, draws++),
  sleep: async () => {},
  now: (from + 30.5 * day) * 1_000,
};

describe('remote write', () => {
  const items = [1, 2].map((id) => itemWith({ id }));

  test('sends a request again that the server had no time for', async () => {
    const target = await receiver([503, 429]);
    await runBackfill(await flagsTo(target, (await fakeExporter(items)).url));
    const [first, second, third, fourth] = target.bodies;
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(fourth).not.toEqual(first);
  });

  test('continues with the first day that the server does not have whole', async () => {
    const exporter = await fakeExporter(items);
    const whole = await receiver([]);
    await runBackfill(await flagsTo(whole, exporter.url));
    const target = await receiver([204, 204, 204, 204, 400], 'no');
    // More than one day and less than all.
    const flags = await flagsTo(target, exporter.url);
    await expect(runBackfill(flags)).rejects.toThrow('responded with 400: no');
    const sent = target.bodies.length;
    await runBackfill(flags);
    expect(target.bodies.slice(0, sent - 1)).toEqual(whole.bodies.slice(0, sent - 1));
    const rest = target.bodies.slice(sent);
    expect(rest).toEqual(whole.bodies.slice(-rest.length));
    expect(rest.length).toBeLessThan(whole.bodies.length);
  });

  test('ends with a comparison, and sends the days again of which the server lost samples', async () => {
    const past = { fromSeconds: from - 40 * day, toSeconds: seam };
    const states = `u${39 * day} d3600 u${seam - from + day - 3_600}`;
    const old = itemWith({ id: 1, past: { ...past, states }, objective: 0.999 });
    const exporter = await fakeExporter([old, ...items.slice(1)]);
    const target = await receiver([]);
    const flags = { ...(await flagsTo(target, exporter.url)), from: `${past.fromSeconds}` };
    const [first, last] = [dayOf(from), dayOf(from + day)];
    target.lost.add(first);
    const told = await runBackfill(flags, options).then(
      (output) => `no failure: ${output}`,
      ({ message }: Error) => message,
    );
    expect(told).toContain('The server differs from the history');
    expect(told).toMatch(new RegExp(`samples are missing between \\S+ and ${last}T00:00:00Z`));
    expect(told).toContain('check 1 (Check 1), error ratio of 30d: samples are missing');
    expect(told).toContain('check 1 (Check 1), error budget left: samples are missing');
    expect(told).toMatch(
      /Missing samples, of \d days?: run the command .*; it sends these days again/,
    );
    expect(told).not.toContain('promtool');

    target.lost.clear();
    const sent = target.bodies.length;
    const mended = await runBackfill(flags, options);
    expect(mended).toMatch(/Sent [1-9]\d* kB for 2 checks/);
    expect(mended).toContain('The server has what the service reported');
    const rest = target.bodies.length - sent;
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(sent);

    expect(await runBackfill({ ...flags, verify: true }, options)).toContain(
      'The server has what the service reported',
    );
    expect(await runBackfill(flags, options)).toContain('Sent 0 kB');
  });

  test('sends the credentials of a file, and does not repeat them', async () => {
    const folder = await temporaryFolder();
    const [basic, bearer] = [join(folder, 'basic'), join(folder, 'bearer')];
    await writeFile(basic, 'ann:s3cret: word\n');
    await writeFile(bearer, 'Bearer t0ken-123\n');
    const exporter = await fakeExporter(items);
    const target = await receiver([], '');
    const flags = {
      ...(await flagsTo(target, exporter.url)),
      exporterAuthFile: basic,
      remoteWriteAuthFile: bearer,
    };
    await runBackfill(flags);
    const encoded = `Basic ${Buffer.from('ann:s3cret: word').toString('base64')}`;
    expect(new Set(exporter.authorizations)).toEqual(new Set([encoded]));
    expect(new Set(target.authorizations)).toEqual(new Set(['Bearer t0ken-123']));
    const echo = await receiver([403], 'no entry for t0ken-123');
    const refused = {
      ...(await flagsTo(echo, exporter.url)),
      exporterAuthFile: basic,
      remoteWriteAuthFile: bearer,
    };
    await expect(runBackfill(refused)).rejects.toThrow('no entry for <secret>');
    exporter.failures.push(401);
    await expect(runBackfill({ ...flags, exporterAuthFile: basic })).rejects.toThrow(
      'name a file with user:password or a token with --exporter-auth-file',
    );
  });

  test('refuses a password in an address, and a file without credentials, without repeating them', async () => {
    const base = { from: `${from}`, output: join(await temporaryFolder(), 'history') };
    const refusal = async (flags: object) =>
      String(await runBackfill({ ...base, ...flags }).catch((reason: Error) => reason.message));
    const inAddress = await refusal({ exporter: 'http://ann:s3cret@localhost:1' });
    expect(inAddress).toContain(
      'Put user:password into a file, and name it with --exporter-auth-file',
    );
    expect(inAddress).not.toContain('s3cret');
    const exporter = 'http://localhost:1';
    expect(await refusal({ exporter, remoteWrite: 'http://ann:s3cret@localhost:1/w' })).toContain(
      '--remote-write-auth-file',
    );
    const file = join(await temporaryFolder(), 'auth');
    await writeFile(file, 's3cret');
    const inFile = await refusal({ exporter, exporterAuthFile: file });
    expect(inFile).toContain('--exporter-auth-file: the file must hold one line: user:password');
    expect(inFile).not.toContain('s3cret');
    expect(await refusal({ exporter, exporterAuthFile: `${file}2` })).toContain(
      'there is no such file',
    );
    const both = { exporter, remoteWrite: 'http://localhost:1', blocks: '/x' };
    expect(await refusal(both)).toContain('choose one of --blocks and --remote-write');
  });
});

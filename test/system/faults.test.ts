import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { type TalliedState, talliedStates } from '../../src/domain/tally.ts';
import { type FaultName, faultKinds } from '../../src/sandbox/faults.ts';
import { RestartableExporter, token } from '../support/restartable-exporter.ts';

const kinds = Object.keys(faultKinds) as FaultName[];

/** Some take real time to be answered: a gigabyte is packed, or the connection stays open. */
const costly: ReadonlySet<FaultName> = new Set(['gzip-bomb', 'hang', 'drip']);

interface Span {
  readonly state: TalliedState;
  readonly from: number;
  readonly to: number;
}

interface Day {
  readonly id: number;
  readonly name: string;
  readonly spans: readonly Span[];
}

interface StatusReply {
  readonly accounts: readonly [
    {
      readonly up: boolean;
      readonly checks?: { readonly last_24_hours: readonly Day[] };
      readonly transactions?: { readonly last_24_hours: readonly Day[] };
    },
  ];
}

const paths = ['/metrics', '/', '/status.json', '/-/healthy', '/-/ready'] as const;

/** Everything it serves, by path; each has to be a 200. */
async function readAll(exporter: RestartableExporter): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const path of paths) {
    const { statusCode, body } = await request(`${exporter.url}${path}`);
    const text = await body.text();
    expect([path, statusCode]).toEqual([path, 200]);
    bodies.set(path, text);
  }
  return bodies;
}

async function statusOf(exporter: RestartableExporter): Promise<StatusReply['accounts'][0]> {
  const { body } = await request(`${exporter.url}/status.json`);
  return ((await body.json()) as StatusReply).accounts[0];
}

/** Lets time pass, scraped every half minute. */
async function scraped(exporter: RestartableExporter, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 30) {
    await exporter.pass(30);
    await exporter.scrape();
    await readAll(exporter);
  }
}

/** Lets time pass until the account is up again. */
async function recovered(exporter: RestartableExporter): Promise<void> {
  for (let minutes = 0; minutes < 130; minutes++) {
    if ((await statusOf(exporter)).up) return;
    await exporter.pass(60);
  }
  throw new Error('it has not recovered for more than two hours');
}

async function heapBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}

function secondsIn(spans: readonly Span[]): Record<TalliedState, number> {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, from, to } of spans) seconds[state] += to - from;
  return seconds;
}

test('every fault in turn: it serves on, forgets nothing, recovers, and counts right', async () => {
  const exporter = await RestartableExporter.create({ checks: 12, transactions: 3 });
  const { sandbox } = exporter;
  await exporter.start();
  await exporter.pass(60);
  await scraped(exporter, 300);
  const heapBefore = await heapBytes();

  for (const kind of kinds) {
    sandbox.faults.inject({ kind, ...(costly.has(kind) && { times: 3 }) });
    await scraped(exporter, 120);
    sandbox.faults.clear();
    await recovered(exporter);
  }
  await exporter.pass(2 * 3_600);

  expect(exporter.watch.backsteps).toEqual([]);
  expect((await heapBytes()) - heapBefore).toBeLessThan(64 * 2 ** 20);
  expect(exporter.log.join('')).not.toMatch(/TypeError|RangeError|Unhandled|\bat .*\.ts:/);
  const samples = await exporter.scrape();
  const days = (await statusOf(exporter)).checks?.last_24_hours ?? [];
  expect(days).toHaveLength(12);
  for (const { id, spans } of days) {
    const check = sandbox.world.check(id);
    if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
    const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
    expect(exporter.now - to).toBeLessThan(2 * 3_600);
    const truth = sandbox.history
      .segments(check, from, to, exporter.now)
      .map(({ status, ...times }) => ({ state: status, ...times }));
    const monitored = secondsIn(truth);
    const expected = { ...monitored, unmonitored: to - from - sum(monitored) };
    const counted = talliedStates.map((state) => [state, counterOf(samples, id, state)]);
    expect({ id, ...Object.fromEntries(counted) }).toEqual({ id, ...expected });
    expect(secondsIn(spans)).toEqual(expected);
  }
}, 120_000);

function sum(seconds: Record<TalliedState, number>): number {
  return Object.values(seconds).reduce((total, part) => total + part, 0);
}

function counterOf(samples: ReadonlyMap<string, number>, id: number, state: TalliedState) {
  const [sample] = [...samples].filter(
    ([name]) =>
      name.startsWith('uptime_check_state_seconds_total{') &&
      name.includes(`check_id="${id}"`) &&
      name.includes(`state="${state}"`),
  );
  return sample?.[1];
}

test('a token that the service repeats in every way is never shown', async () => {
  const exporter = await RestartableExporter.create({ checks: 6, transactions: 2 });
  const { sandbox } = exporter;
  const change = async (method: 'PUT' | 'POST', path: string, json: object) => {
    const { statusCode, body } = await request(`${sandbox.url}/api/3.1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    expect([path, statusCode, await body.text()]).toEqual([path, 200, expect.anything()]);
  };
  const base64 = Buffer.from(token).toString('base64');
  const [first, second, third] = sandbox.world.checks;
  await change('PUT', `checks/${first?.id}`, {
    name: `name ${token}`,
    host: `${token}.example.com`,
    tags: [token, 'plain'],
  });
  await change('PUT', `checks/${second?.id}`, { name: `base ${base64}` });
  await change('PUT', `checks/${third?.id}`, { name: `url ${encodeURIComponent(`${token} `)}` });

  await exporter.start();
  await exporter.pass(3_600);
  sandbox.faults.inject({ kind: 'echo-credentials' });
  await exporter.pass(900);

  const shown = [...(await readAll(exporter)), ['log', exporter.log.join('')] as const];
  for (const [place, text] of shown) {
    expect([place, text.includes(token)]).toEqual([place, false]);
    expect([place, text.includes(base64.replace(/=+$/, ''))]).toEqual([place, false]);
  }
  const bodies = new Map(shown);
  expect(bodies.get('/metrics')).toContain('name="name <secret>"');
  expect(bodies.get('/metrics')).toContain('name="base <secret>"');
  expect(bodies.get('/')).toContain('&lt;secret&gt;');
  expect(bodies.get('/status.json')).toContain('name <secret>');
  expect(bodies.get('log')).toContain('Bearer <secret> (token <secret>)');
}, 60_000);

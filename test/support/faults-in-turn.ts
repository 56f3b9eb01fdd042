import { request } from 'undici';
import { expect } from 'vitest';
import { type FaultName, type FaultOrder, faultKinds } from '../../sandbox/src/faults/faults.ts';
import type { ApiErrorReason } from '../../src/api/errors.ts';
import { type TalliedState, talliedStates } from '../../src/domain/interval.ts';
import { RestartableExporter } from './restartable-exporter.ts';
import { urlOf } from './served-url.ts';
import { bookedSpan } from './shown-totals.ts';

/** A second list decides whether the credentials are at fault. */
const twice = 'refused and unauthorized';

/**
 * The reason with which a refresh of the check list fails; absent if the fault does not prevent it.
 */
const reasons: { readonly [K in FaultName]: ApiErrorReason | 'none' | typeof twice } = {
  'status-500': 'server_error',
  'status-502': 'server_error',
  'status-503': 'server_error',
  unauthorized: twice,
  forbidden: 'forbidden',
  'not-found': 'not_found',
  gone: 'not_found',
  'limit-exceeded': 'rate_limited',
  'limit-exceeded-without-headers': 'rate_limited',
  'limit-exceeded-at-edge': 'rate_limited',
  'unavailable-until': 'server_error',
  'echo-credentials': 'server_error',
  'echo-credentials-in-texts': 'none',
  'echo-credentials-everywhere': 'none',
  'echo-credentials-in-redirect': 'redirect',
  'echo-credentials-in-page': 'server_error',
  'echo-credentials-in-bad-json': 'not_json',
  redirect: 'redirect',
  html: 'not_json',
  'html-502': 'server_error',
  'plain-text-401': 'blocked',
  'plain-text-403': 'blocked',
  'empty-body': 'not_json',
  'truncated-json': 'not_json',
  'json-array': 'shape',
  'json-string': 'shape',
  'json-empty-object': 'shape',
  'dated-years-later': 'none',
  'dated-years-earlier': 'none',
  'text-content-type': 'none',
  'reset-before-headers': 'connection',
  'reset-in-body': 'truncated',
  hang: 'timeout',
  drip: 'timeout',
  'corrupt-gzip': 'encoding',
  'truncated-gzip': 'truncated',
  'gzip-bomb': 'too_large',
  'invalid-utf8': 'encoding',
  'malformed-entries': 'none',
  'malformed-states': 'none',
  'no-states': 'none',
  'down-states-only': 'none',
  'unusual-entries': 'none',
  'duplicate-entry': 'none',
  'no-limit-headers': 'none',
  'malformed-limit-headers': 'none',
  'mixed-case-limit-headers': 'none',
  'dotted-limit-headers': 'none',
  'absurd-limit-remaining': 'none',
  'absurd-limit-reset': 'none',
  'nothing-left-limit-headers': 'none',
};
/** A decompression bomb takes long to send. Unknown words in a report make the truth unknowable. */
const limited: { readonly [K in FaultName]?: Omit<FaultOrder, 'kind'> } = {
  'gzip-bomb': { operation: 'list_checks', times: 3 },
  'echo-credentials-everywhere': { operation: 'list_checks' },
};
export const allFaults = Object.keys(faultKinds) as FaultName[];
/**
 * One fault without an effect, and one for each reason of a failed refresh. None takes real time.
 */
export const oneFaultOfAReason: readonly FaultName[] = [
  'duplicate-entry',
  'status-500',
  'unauthorized',
  'forbidden',
  'not-found',
  'limit-exceeded',
  'redirect',
  'html',
  'json-array',
  'reset-before-headers',
  'corrupt-gzip',
  'truncated-gzip',
];

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

interface StatusResponse {
  readonly accounts: readonly [
    {
      readonly up: boolean;
      readonly checks?: { readonly last_24_hours: readonly Day[] };
      readonly transactions?: { readonly last_24_hours: readonly Day[] };
    },
  ];
}

const paths = ['/metrics', '/', '/status.json', '/-/healthy', '/-/ready'] as const;

/** All its resources, keyed by path. Each response must be a 200. */
async function readAll(exporter: RestartableExporter): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const path of paths) {
    const { statusCode, body } = await request(`${urlOf(exporter.log)}${path}`);
    const text = await body.text();
    expect([path, statusCode]).toEqual([path, 200]);
    bodies.set(path, text);
  }
  return bodies;
}

async function statusOf(exporter: RestartableExporter): Promise<StatusResponse['accounts'][0]> {
  const { body } = await request(`${urlOf(exporter.log)}/status.json`);
  return ((await body.json()) as StatusResponse).accounts[0];
}

/** Advances the clock, with a scrape every half minute. In the end, all its resources are read. */
async function scraped(exporter: RestartableExporter, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 30) {
    await exporter.pass(30);
    await exporter.scrape();
  }
  await readAll(exporter);
}

/** Advances until the account is up again. */
async function recovered(exporter: RestartableExporter): Promise<void> {
  for (let minutes = 0; minutes < 130; minutes++) {
    if ((await statusOf(exporter)).up) return;
    await exporter.pass(60);
  }
  throw new Error('it has not recovered for more than two hours');
}

function secondsIn(spans: readonly Span[]): Record<TalliedState, number> {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, from, to } of spans) seconds[state] += to - from;
  return seconds;
}

/** The exporter continues to serve, loses no data, recovers, and counts correctly. */
export async function faultsInTurn(kinds: readonly FaultName[]): Promise<void> {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 1,
    // Each fault is recognized by its reason.
    wire: { stray401: 0, stray403: 0, missingLimits: 0, errorBodies: 'api' },
  });
  const { sandbox } = exporter;
  const [first, second] = sandbox.world.checks.slice(0, 2).map((check) => {
    const run = { from: check.created, resolutionSeconds: 60, phaseSeconds: 7 };
    sandbox.world.registry.put({ ...check, resolutionMinutes: 1, runs: [run] });
    return check;
  });
  for (const [check, start, end] of [
    [first, 40, 75],
    [second, 20, 32],
    [second, 110, 120],
  ] as const) {
    const [from, to] = [exporter.now + start * 60, exporter.now + end * 60];
    sandbox.world.plant({ checkId: check?.id ?? 0, status: 'down', from, to });
  }
  await exporter.start();
  await exporter.pass(60);
  await scraped(exporter, 300);
  const seenReasons: Partial<Record<FaultName, string>> = {};

  for (const kind of kinds) {
    const failedBefore = failures(await exporter.scrape());
    sandbox.faults.inject({ kind, ...limited[kind] });
    await scraped(exporter, 150);
    sandbox.faults.clear();
    await scraped(exporter, 120);
    const failed = failures(await exporter.scrape());
    const seen = [...failed].filter(([reason, count]) => count > (failedBefore.get(reason) ?? 0));
    seenReasons[kind] = seen.map(([reason]) => reason).join(' and ') || 'none';
    await recovered(exporter);
    // The wait after a refusal ends before the next fault.
    await exporter.pass(600);
  }
  await exporter.pass(3_600);

  expect(seenReasons).toEqual(Object.fromEntries(kinds.map((kind) => [kind, reasons[kind]])));
  expect(exporter.watch.backsteps).toEqual([]);
  expect(exporter.log.join('')).not.toMatch(/TypeError|RangeError|Unhandled|\bat .*\.ts:/);
  const samples = await exporter.scrape();
  const { items } = await exporter.disk.load('shop');
  const days = (await statusOf(exporter)).checks?.last_24_hours ?? [];
  expect(days).toHaveLength(6);
  const fallen = days.filter(({ spans }) => spans.some(({ state }) => state === 'down'));
  expect(fallen.map(({ id }) => id)).toEqual(expect.arrayContaining([first?.id, second?.id]));
  for (const { id, spans } of days) {
    const check = sandbox.world.check(id);
    if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
    const item = items.check.get(id);
    if (item === undefined) throw new Error(`nothing is stored of ${id}`);
    const truth = (from: number, to: number) => {
      const segments = sandbox.history
        .segments(check, from, to, exporter.now)
        .map(({ status, ...times }) => ({ state: status, ...times }));
      const monitored = secondsIn(segments);
      return { ...monitored, unmonitored: to - from - sum(monitored) };
    };
    const booked = bookedSpan(item);
    expect(exporter.now - booked.toSeconds).toBeLessThan(2 * 3_600);
    const counted = talliedStates.map((state) => [state, counterOf(samples, id, state)]);
    expect({ id, ...Object.fromEntries(counted) }).toEqual({
      id,
      ...truth(booked.fromSeconds, booked.toSeconds),
    });
    const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
    expect(to).toBe(booked.toSeconds);
    expect(secondsIn(spans)).toEqual(truth(from, to));
  }
}

/** The number of failed refreshes of the check list, keyed by reason. */
function failures(samples: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [sample, value] of samples) {
    const [, labels = ''] = /^uptime_exporter_dataset_errors_total\{(.*)\}$/.exec(sample) ?? [];
    const [, reason] = /reason="(\w+)"/.exec(labels) ?? [];
    if (labels.includes('dataset="checks"') && reason !== undefined) counts.set(reason, value);
  }
  return counts;
}

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

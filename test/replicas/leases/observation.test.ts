import { describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/replicas/leases/lease.ts';
import { Observation } from '../../../src/replicas/leases/observation.ts';
import { session, times } from './support/shared-world.ts';

const wait = times.ttlMilliseconds + times.marginMilliseconds;

const lease: Lease = {
  account: 'a',
  holder: { id: 'x', name: 'x' },
  epoch: 'epoch',
  renewal: 'renewal',
  number: 1,
  sinceSeconds: 0,
  isReleased: false,
  isCurrent: true,
  session,
};

function observe(...readings: readonly (readonly [at: number, Lease | undefined])[]) {
  const observation = new Observation(times);
  for (const [at, row] of readings) {
    const leases = row === undefined ? [] : [row];
    observation.read({ leases, replicas: [], renewed: new Set() }, at);
  }
  return observation;
}

/** Observes `row` every second. */
function everySecond(until: number, row: (at: number) => Lease) {
  const readings: [number, Lease][] = [];
  for (let at = 0; at <= until; at += 1_000) readings.push([at, row(at)]);
  return observe(...readings);
}

describe('a lease can be taken', () => {
  test.each<[string, Observation, number, string | undefined]>([
    ['at once if it was never taken', observe([0, undefined]), 0, 'free'],
    ['at once if it was released', observe([0, { ...lease, isReleased: true }]), 0, 'free'],
    [
      'not at once if a dump shows it as released',
      observe([0, { ...lease, isReleased: true, isCurrent: false }]),
      wait - 1,
      undefined,
    ],
    ['not before ttl and margin have passed', everySecond(wait, () => lease), wait - 1, undefined],
    ['when ttl and margin have passed', everySecond(wait, () => lease), wait, 'expired'],
    [
      'later when it was renewed meanwhile',
      everySecond(wait, (at) => ({ ...lease, renewal: at < 5_000 ? 'first' : 'second' })),
      wait + 4_999,
      undefined,
    ],
    [
      'later when the same tokens came back from a dump',
      everySecond(wait, (at) => ({ ...lease, isCurrent: at < 5_000 })),
      wait + 4_999,
      undefined,
    ],
    [
      'later when it could not be read for longer than the time to live',
      observe([0, lease], [times.ttlMilliseconds + 1, lease]),
      wait + times.ttlMilliseconds,
      undefined,
    ],
    [
      'not at once if a failover has lost its row',
      observe([0, lease], [1_000, undefined]),
      wait + 999,
      undefined,
    ],
    [
      'when ttl and margin have passed since its row was lost',
      observe([0, lease], [1_000, undefined], [2_000, undefined]),
      wait + 1_000,
      'free',
    ],
    [
      'later when its row was lost and nothing could be read for longer than the time to live',
      observe([0, lease], [1_000, undefined], [times.ttlMilliseconds + 1_001, undefined]),
      wait + times.ttlMilliseconds + 1_000,
      undefined,
    ],
  ])('%s', (_, observation, now, kind) => {
    expect(observation.availability('a', now)?.kind).toBe(kind);
  });
});

describe('a replica is alive', () => {
  const replicas = (token: string) => [{ id: 'y', name: 'y', token }];
  const read = (observation: Observation, at: number, token: string) =>
    observation.read({ leases: [], replicas: replicas(token), renewed: new Set() }, at);

  test('from the first change of its token until it has not changed for ttl and margin', () => {
    const observation = new Observation(times);
    read(observation, 0, 'first');
    expect(observation.live('x', 0)).toEqual(['x']);
    for (let at = 1_000; at <= wait + 1_000; at += 1_000) read(observation, at, 'second');
    expect(observation.live('x', wait)).toEqual(['x', 'y']);
    expect(observation.live('x', wait + 1_000)).toEqual(['x']);
  });

  test('so the rows of dead ones can be deleted after ten times to live', () => {
    const observation = new Observation(times);
    const after = 10 * times.ttlMilliseconds;
    for (let at = 0; at <= after; at += 1_000) read(observation, at, 'first');
    expect(observation.dead(after)).toEqual([]);
    expect(observation.dead(after + 1)).toEqual(['y']);
  });
});

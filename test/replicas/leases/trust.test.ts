import { describe, expect, test } from 'vitest';
import { HeldLeases } from '../../../src/replicas/leases/held-leases.ts';
import { instantOf } from '../../../src/replicas/leases/trust.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { times } from './support/shared-world.ts';

const trusted = times.ttlMilliseconds - times.marginMilliseconds;

function held() {
  const clock = new VirtualClock();
  const leases = new HeldLeases({ replica: { id: 'x', name: 'x' }, times, clock });
  leases.taken('a', { epoch: 'epoch', renewal: 'first' }, 1, instantOf(clock));
  /** Advances the clocks while the process runs. */
  const run = (milliseconds: number) => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 1_000) {
      clock.suspend(Math.min(1_000, milliseconds - elapsed));
      leases.pulse();
    }
  };
  return { clock, leases, run };
}

describe('a holder trusts its lease', () => {
  test('until the time to live without the margin has passed since the renewal was sent', () => {
    const { leases, run } = held();
    run(trusted - 1);
    expect(leases.trusts('a')).toBe(true);
    run(1);
    expect(leases.trusts('a')).toBe(false);
  });

  test('no longer than its wall clock allows, which goes on while a machine sleeps', () => {
    const { clock, leases } = held();
    clock.stepWall(trusted);
    expect(leases.trusts('a')).toBe(false);
  });

  test('no longer when its wall clock was set back', () => {
    const { clock, leases, run } = held();
    clock.stepWall(-3_600_000);
    run(trusted - 1);
    expect(leases.trusts('a')).toBe(true);
    run(1);
    expect(leases.trusts('a')).toBe(false);
  });

  test('not after the process stood still for longer than the margin', () => {
    const { clock, leases } = held();
    clock.suspend(times.marginMilliseconds + 1);
    expect(leases.trusts('a')).toBe(false);
    expect(leases.pulse()).toEqual(['a']);
    expect(leases.trusts('a')).toBe(false);
  });

  test('from the moment before the renewal was sent, not from its acknowledgement', () => {
    const { clock, leases, run } = held();
    run(10_000);
    const from = instantOf(clock);
    const renewals = leases.renewals(() => 'second');
    run(4_000);
    leases.renewed(renewals, new Set(['a']), from);
    run(trusted - 4_001);
    expect(leases.trusts('a')).toBe(true);
    run(1);
    expect(leases.trusts('a')).toBe(false);
  });
});

describe('a renewal', () => {
  test('names every token that the row may have, until one is acknowledged', () => {
    const { clock, leases } = held();
    const from = instantOf(clock);
    leases.renewals(() => 'second');
    const [renewal] = leases.renewals(() => 'third');
    expect(renewal?.known).toEqual(['first', 'second']);
    leases.renewed(renewal === undefined ? [] : [renewal], new Set(['a']), from);
    expect(leases.renewals(() => 'fourth')[0]?.known).toEqual(['third']);
  });

  test('that the database did not accept gives the account up', () => {
    const { clock, leases } = held();
    const renewals = leases.renewals(() => 'second');
    expect(leases.renewed(renewals, new Set(), instantOf(clock))).toEqual(['a']);
    expect(leases.accounts).toEqual([]);
  });

  test('says nothing of an account that was lost and taken again meanwhile', () => {
    const { clock, leases } = held();
    const from = instantOf(clock);
    const renewals = leases.renewals(() => 'second');
    leases.drop('a');
    leases.taken('a', { epoch: 'another epoch', renewal: 'first' }, 2, from);
    expect(leases.renewed(renewals, new Set(), from)).toEqual([]);
    expect(leases.trusts('a')).toBe(true);
  });
});

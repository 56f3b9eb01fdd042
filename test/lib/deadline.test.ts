import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { DeadlineExceededError, Deadlines } from '../../src/lib/deadline.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function create() {
  const clock = new VirtualClock();
  const caller = new AbortController();
  const deadlines = new Deadlines<'idle' | 'total'>({ clock, parent: caller.signal });
  return { clock, caller, deadlines };
}

describe('Deadlines', () => {
  test('abort when one of them has passed, and name it', async () => {
    const { clock, deadlines } = create();
    deadlines.set('total', 30_000);
    deadlines.set('idle', 10_000);

    await clock.advance(9_999);
    expect(deadlines.signal.aborted).toBe(false);
    await clock.advance(1);

    expect(deadlines.signal.reason).toBeInstanceOf(DeadlineExceededError);
    expect(deadlines.signal.reason).toMatchObject({
      message: 'the idle deadline of 10 s has passed',
    });
  });

  test('count from the last time they were set', async () => {
    const { clock, deadlines } = create();
    deadlines.set('idle', 10_000);
    await clock.advance(6_000);
    deadlines.set('idle', 10_000);
    await clock.advance(6_000);
    expect(deadlines.signal.aborted).toBe(false);
    await clock.advance(4_000);
    expect(deadlines.signal.aborted).toBe(true);
  });

  test('do not abort when cleared or disposed of', async () => {
    const { clock, deadlines } = create();
    deadlines.set('idle', 10_000);
    deadlines.clear('idle');
    deadlines.set('total', 30_000);
    deadlines.dispose();

    await clock.advance(60_000);

    expect(deadlines.signal.aborted).toBe(false);
    expect(clock.sleepers).toBe(0);
  });

  test('pass the abort of the caller on, with its reason', () => {
    const { caller, deadlines } = create();
    const reason = new Error('stopping');
    caller.abort(reason);
    expect(deadlines.signal.reason).toBe(reason);
  });

  test('are aborted from the start when the caller has given up before', () => {
    const parent = AbortSignal.abort('before');
    const deadlines = new Deadlines({ clock: new VirtualClock(), parent });
    expect(deadlines.signal.reason).toBe('before');
  });

  test('leave no listener on a signal that outlives them', () => {
    const { caller, deadlines } = create();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    deadlines.dispose();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });
});

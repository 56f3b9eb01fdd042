import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';

describe('a sleep of the system clock', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('ends in time, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    const ended = vi.fn();
    const sleep = systemClock.sleep(1_000, signal).then(ended);

    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    await sleep;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('that is ended early rejects with the reason, and leaves no timer', async () => {
    const early = new AbortController();
    const sleep = systemClock.sleep(1_000, early.signal);

    early.abort('rung');

    await expect(sleep).rejects.toBe('rung');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is over before it begins rejects at once', async () => {
    await expect(systemClock.sleep(1_000, AbortSignal.abort('before'))).rejects.toBe('before');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('as long as a month does not end at once', async () => {
    const early = new AbortController();
    const ended = vi.fn();
    const sleep = systemClock.sleep(31 * 86_400_000, early.signal).then(ended, () => undefined);

    await vi.advanceTimersByTimeAsync(86_400_000);

    expect(ended).not.toHaveBeenCalled();
    early.abort();
    await sleep;
  });
});

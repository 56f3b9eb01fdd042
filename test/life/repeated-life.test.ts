import { pbkdf2 } from 'node:crypto';
import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { drawScript } from './random.ts';
import { type Life, play, type Watcher } from './script.ts';

/** Reads every page until the script ends, and expects nothing of it. */
function reader({ world, begin, minutes }: Life): Watcher {
  const read = async () => {
    await world.page();
  };
  const ignore = () => {};
  return {
    broken: [],
    get isOver() {
      return world.now >= begin + 60 * minutes;
    },
    asked: ignore,
    read: ignore,
    ended: ignore,
    maintenanceChanges: ignore,
    check: read,
    checkAtEnd: read,
  };
}

/** Occupies the threads of Node.js, as another program would, until the returned function is called. */
function occupyThreads(): () => void {
  let isOver = false;
  const occupy = (iterations: number) => {
    if (!isOver) pbkdf2('', '', iterations, 8, 'sha1', () => occupy(1 + ((7 * iterations) % 997)));
  };
  for (const iterations of [1, 2, 3, 4]) occupy(100 * iterations);
  return () => {
    isOver = true;
  };
}

const seeds = Array.from({ length: extent(2, 20) }, (_, place) => 1 + place);

test('the same seed gives the same events, byte for byte, however busy the machine is', async () => {
  for (const seed of seeds) {
    const script = { ...drawScript(seed, 8), checks: 2, minutes: 12, notesEvents: true };
    const idle = await play(script, reader);
    const release = occupyThreads();
    const busy = await play(script, reader).finally(release);
    expect(busy.events).toEqual(idle.events);
    expect(idle.events.length).toBeGreaterThan(30);
  }
});

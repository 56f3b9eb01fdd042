import { onTestFailed } from 'vitest';
import { drawWire, type Wire, wireText } from '../../sandbox/src/wire.ts';

/**
 * A random wire for a test of truth; `SEED=n` draws another one. A failure prints the seed and the
 * wire. `fixed` are freedoms that the test depends on.
 */
export function drawnWire(seed: number, fixed: Partial<Wire> = {}): Wire {
  const drawn = Number(process.env.SEED ?? seed);
  const wire = { ...drawWire(drawn), ...fixed };
  onTestFailed(() => {
    console.error(`SEED=${drawn}, sandbox --wire=${wireText(wire)}`);
  });
  return wire;
}

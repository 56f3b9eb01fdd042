import { setTimeout as delay } from 'node:timers/promises';
import { hashUnit } from '../../../src/lib/random.ts';
import type { Lab } from './lab.ts';
import { type Draw, databaseNemeses, type Nemesis, replicaNemeses } from './nemeses.ts';

/** Numbers of a stream, which depend only on the seed and the place. */
export function drawFrom(seed: number, stream: number): Draw {
  let place = 0;
  const next = () => hashUnit(seed, stream, place++);
  return {
    between: (from, to) => from + (to - from) * next(),
    isHeads: () => next() < 0.5,
    of: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new RangeError('there is nothing to draw from');
      return value;
    },
  };
}

/** One seed in three restores a dump, which lets counters begin again. */
function restores(seed: number): boolean {
  return seed % 3 === 0;
}

/** Replicas and database fail side by side, as the seed draws it, for so long. */
export async function failAtRandom(lab: Lab, seed: number, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  const dump = restores(seed) ? await lab.pair.dump() : undefined;
  const database: Record<string, Nemesis> = { ...databaseNemeses };
  if (dump !== undefined) {
    database['a dump is restored'] = async () => {
      if (lab.restores.length > 0) return;
      lab.note('a dump is restored');
      await lab.restore(dump);
      lab.note('the dump is restored');
    };
  }
  await Promise.all([
    inTurn(lab, { nemeses: replicaNemeses, draw: drawFrom(seed, 1), until, pause: 4_000 }),
    inTurn(lab, { nemeses: database, draw: drawFrom(seed, 2), until, pause: 16_000 }),
  ]);
}

async function inTurn(
  lab: Lab,
  {
    nemeses,
    draw,
    until,
    pause,
  }: {
    readonly nemeses: Record<string, Nemesis>;
    readonly draw: Draw;
    readonly until: number;
    readonly pause: number;
  },
): Promise<void> {
  for (;;) {
    await delay(draw.between(0, 2 * pause));
    if (performance.now() > until) return;
    const name = draw.of(Object.keys(nemeses));
    lab.note(`* ${name}`);
    await nemeses[name]?.(lab, draw);
  }
}

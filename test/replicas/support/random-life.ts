import { setTimeout as delay } from 'node:timers/promises';
import { hashUnit } from '../../../src/lib/random.ts';
import type { Lab, LabReplica } from './lab.ts';
import { aHolder, type Draw, databaseNemeses, type Nemesis, replicaNemeses } from './nemeses.ts';

/** Numbers of a stream, which depend only on the seed and the place. */
function drawFrom(seed: number, stream: number): Draw {
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
      if (lab.resets > 0) return;
      lab.note('a dump is restored');
      await lab.restore(dump);
      lab.note('the dump is restored');
    };
  }
  const failing = new Set<LabReplica>();
  const failReplica = async (draw: Draw) => {
    const replica = aHolder(lab, draw, failing);
    const name = draw.of(Object.keys(replicaNemeses));
    lab.note(`* ${replica.process.name}: ${name}`);
    failing.add(replica);
    await replicaNemeses[name]?.(lab, draw, replica);
    failing.delete(replica);
  };
  const failDatabase = async (draw: Draw) => {
    const name = draw.of(Object.keys(database));
    lab.note(`* database: ${name}`);
    await database[name]?.(lab, draw);
  };
  await Promise.all([
    again(failReplica, { draw: drawFrom(seed, 1), until, pause: 4_000 }),
    again(failReplica, { draw: drawFrom(seed, 2), until, pause: 12_000 }),
    again(failDatabase, { draw: drawFrom(seed, 3), until, pause: 12_000 }),
    restartOneByOne(lab, { failing, draw: drawFrom(seed, 4), milliseconds }),
  ]);
}

/** A new version is rolled out, at some moment. */
async function restartOneByOne(
  lab: Lab,
  {
    failing,
    draw,
    milliseconds,
  }: {
    readonly failing: Set<LabReplica>;
    readonly draw: Draw;
    readonly milliseconds: number;
  },
): Promise<void> {
  await delay(draw.between(0, milliseconds));
  for (const replica of lab.replicas) {
    if (failing.has(replica) || failing.size > 1) continue;
    failing.add(replica);
    await replicaNemeses['ended and started again']?.(lab, draw, replica);
    failing.delete(replica);
  }
}

async function again(
  fail: (draw: Draw) => Promise<void>,
  { draw, until, pause }: { readonly draw: Draw; readonly until: number; readonly pause: number },
): Promise<void> {
  for (;;) {
    await delay(draw.between(0, 2 * pause));
    if (performance.now() > until) return;
    await fail(draw);
  }
}

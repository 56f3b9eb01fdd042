import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { Lab } from './support/lab.ts';
import { failAtRandom } from './support/random-life.ts';
import { counting, problemsOf } from './support/verdict.ts';

/** SEED=n is the first one. */
const firstSeed = Number(process.env.SEED ?? 1);
const seeds = Array.from({ length: Number(process.env.SEEDS ?? 1) }, (_, n) => firstSeed + n);
/** A folder for the events and logs of each seed. */
const { EVIDENCE: evidence } = process.env;
/**
 * How much faster than ours the time of the exporters runs; at 1 the time-outs of the database are
 * as short as theirs.
 */
const speed = Number(process.env.SPEED ?? 10);
const minutes = Number(process.env.MINUTES ?? 0.75);

test.skipIf(missing('initdb')).for(seeds)(
  'three replicas keep all laws while they, their network and the database fail, as seed %i draws it',
  async (seed) => {
    const lab = await Lab.start({ seed, speed });
    onTestFinished(() => lab.stop());
    const starts = await counting(lab);
    lab.note('every account counts');

    await failAtRandom(lab, seed, minutes * 60_000);
    await lab.heal();
    const problems = await problemsOf(lab, starts);

    process.stdout.write(`${report(lab, seed)}\n`);
    if (evidence !== undefined) {
      await writeFile(
        join(evidence, `seed-${seed}.log`),
        `${problems.join('\n')}\n${lab.evidence(2_000)}`,
      );
    }
    expect(problems, lab.evidence()).toEqual([]);
    expect(lab.union.scrapes).toBeGreaterThan(100 * minutes);
  },
);

/** How long accounts were not served, for a person. */
function report(lab: Lab, seed: number): string {
  const gaps = lab.gaps.map(({ from, to }) => to - from).sort((a, b) => b - a);
  const longest = gaps.slice(0, 5).map((gap) => `${(gap / 1000).toFixed(1)} s`);
  return `seed ${seed}: ${lab.takes} takes, ${lab.union.scrapes} scrapes, ${gaps.length} times an account was not served, longest ${longest.join(', ')}`;
}

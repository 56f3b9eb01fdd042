import { expect, onTestFinished, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { Lab, type LabReplica } from './support/lab.ts';
import { counting, problemsOf } from './support/verdict.ts';

/** A machine that does much else takes longer; the times are printed for a person. */
const generousFactor = 4;

test.skipIf(missing('initdb'))(
  'an account is served again within the time to live and a margin, however its holder fails',
  async () => {
    const lab = await Lab.start({ replicas: 2, accounts: 1 });
    onTestFinished(() => lab.stop());
    const starts = await counting(lab);
    const failures: Record<string, (holder: LabReplica) => void> = {
      killed: ({ process }) => void process.kill(),
      stopped: ({ process }) => process.suspend(),
      'without a database': ({ database }) => database.hold(),
      'asked to end': (holder) => void lab.terminate(holder),
    };
    const takesMilliseconds = lab.ttlMilliseconds + lab.marginMilliseconds;
    for (const [failure, fail] of Object.entries(failures)) {
      const holder = await lab.holderOf('account1');
      const other = lab.replicas.find((replica) => replica !== holder);
      const from = lab.now;
      fail(holder);
      await lab.until(
        'another holder',
        () => other !== undefined && lab.serversOf('account1').includes(other),
        (isServed) => isServed,
      );
      const milliseconds = lab.now - from;
      process.stdout.write(
        `${failure}: served again after ${(milliseconds / 1000).toFixed(1)} s, ttl + margin is ${takesMilliseconds / 1000} s\n`,
      );
      expect(milliseconds).toBeLessThan(generousFactor * takesMilliseconds);
      await lab.heal();
      await lab.until(
        'a page of the former holder',
        () => holder.latest,
        (latest) => latest !== undefined,
      );
    }
    expect(await problemsOf(lab, starts), lab.evidence()).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { advance } from '../../src/tally/advance.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';

test('what lists have shown of the time after the new horizon is not lost, and nothing more is kept', () => {
  const tally: StateTally = {
    startSeconds: 1_000,
    horizonSeconds: 2_000,
    state: 'up',
    reportUntilSeconds: 3_000,
    unknownUntilSeconds: 3_000,
    pausedSinceSeconds: 2_500,
    facts: [{ kind: 'untested', fromSeconds: 2_990, toSeconds: 3_000 }],
  };
  const { reportUntilSeconds, unknownUntilSeconds, ...rest } = tally;

  const before = { atSeconds: 2_999, state: 'unknown' } as const;
  expect(advance(tally, before)).toEqual({ ...tally, horizonSeconds: 2_999, state: 'unknown' });
  const at = { atSeconds: 3_000, state: 'unknown' } as const;
  expect(advance(tally, at)).toEqual({ ...rest, horizonSeconds: 3_000, state: 'unknown' });
});

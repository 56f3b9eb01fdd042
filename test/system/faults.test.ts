import { test } from 'vitest';
import { faultsInTurn, oneFaultOfAReason } from '../support/faults-in-turn.ts';

/** The rest is in the long tests. */
test('a fault of each reason in turn: it serves on, forgets nothing, recovers, and counts right', () =>
  faultsInTurn(oneFaultOfAReason));

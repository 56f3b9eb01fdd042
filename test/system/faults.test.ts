import { test } from 'vitest';
import { faultsInTurn, oneFaultOfAReason } from '../support/faults-in-turn.ts';

/** The long tests run the others. */
test('a fault of each reason in turn: it serves on, forgets nothing, recovers, and counts right', () =>
  faultsInTurn(oneFaultOfAReason));

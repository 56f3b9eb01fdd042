import { test } from 'vitest';
import { allFaults, faultsInTurn } from '../support/faults-in-turn.ts';

test('every fault in turn: it serves on, forgets nothing, recovers, and counts right', () =>
  faultsInTurn(allFaults));

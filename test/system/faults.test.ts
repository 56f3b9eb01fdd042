import { test } from 'vitest';
import { extent } from '../support/extent.ts';
import { allFaults, faultsInTurn, oneFaultOfAReason } from '../support/faults-in-turn.ts';

const faults = extent(oneFaultOfAReason, allFaults);

test(`${faults.length} faults in turn, at least one of each reason: it serves on, forgets nothing, recovers, and counts right`, () =>
  faultsInTurn(faults));

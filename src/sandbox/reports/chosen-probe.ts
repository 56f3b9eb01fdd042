import type { Probe } from '../account-data/probe.ts';
import { testingProbes } from '../account-data/probes.ts';
import { type Inputs, integerParameter, listParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';

/**
 * The probe asked for, or by `chance`, in [0, 1), any that the filters allow. Throws a 400 for one that does not test,
 * and for filters that leave none.
 */
export function chosenProbe(inputs: Inputs, chance: number): Probe {
  const id = integerParameter(inputs, 'probeid', { min: 0 });
  const filters = listParameter(inputs, 'probe_filters');
  const allowed = testingProbes.filter(
    (probe) =>
      (id === undefined || probe.id === id) &&
      (filters.length === 0 || filters.includes(`region:${probe.region}`)),
  );
  const chosen = allowed[Math.floor(chance * allowed.length)];
  if (chosen === undefined) throw new Refusal(400, 'Invalid probe identifier');
  return chosen;
}

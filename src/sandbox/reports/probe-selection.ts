import { type Inputs, integerListParameter } from '../query-parameters.ts';

/** Whether a probe is one of those asked for; all are when none is named. */
export function probeSelection(inputs: Inputs): (probeId: number) => boolean {
  const ids = new Set(integerListParameter(inputs, 'probes'));
  return (probeId) => ids.size === 0 || ids.has(probeId);
}

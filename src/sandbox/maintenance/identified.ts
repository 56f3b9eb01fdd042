import type { OperationContext } from '../operation.ts';
import { type Inputs, integerParameter, required } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { MaintenanceWindow, Occurrence } from './maintenance-window.ts';

/** The window a request names. Throws a 404 for one there is not. */
export function identifiedWindow(inputs: Inputs, { world }: OperationContext): MaintenanceWindow {
  const id = required('id', integerParameter(inputs, 'id', { min: 0 }));
  const window = world.maintenance.window(id);
  if (window === undefined) throw new Refusal(404, `There is no maintenance window ${id}`);
  return window;
}

/** The occurrence a request names. Throws a 404 for one there is not. */
export function identifiedOccurrence(inputs: Inputs, { world }: OperationContext): Occurrence {
  const id = required('id', integerParameter(inputs, 'id', { min: 0 }));
  const occurrence = world.maintenance.occurrence(id);
  if (occurrence === undefined) throw new Refusal(404, `There is no maintenance occurrence ${id}`);
  return occurrence;
}

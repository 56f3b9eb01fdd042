import type { OperationContext } from './operation.ts';
import { type Inputs, integerParameter, required } from './query-parameters.ts';
import { Refusal } from './refusal.ts';
import type { SandboxCheck } from './sandbox-check.ts';

/** The check a request names. Throws a 400 for no identifier, and a 403 for one that no check has, as the service does. */
export function identifiedCheck(
  inputs: Inputs,
  { world }: OperationContext,
  name = 'checkid',
): SandboxCheck {
  const id = required(name, integerParameter(inputs, name, { min: 0 }));
  const check = world.check(id);
  if (check === undefined) throw new Refusal(403, 'Invalid check identifier');
  return check;
}

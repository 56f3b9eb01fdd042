import { type Inputs, listParameter } from '../query-parameters.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import type { World } from '../world.ts';

/** The checks of a list of identifiers; invalid ones are ignored (API 3.1, section 4.1). */
export function listedChecks(inputs: Inputs, name: string, world: World): SandboxCheck[] {
  return listParameter(inputs, name).flatMap((id) => world.check(Number(id)) ?? []);
}

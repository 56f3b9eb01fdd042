import type { OperationContext } from '../operation.ts';
import type { SandboxCheckType } from '../sandbox-check.ts';
import { hostDraws, isUnreachable } from './host-draws.ts';

const responseSalt = 72;

export interface SingleTest {
  readonly status: 'up' | 'down';
  /** Only a good test has one. */
  readonly responseMilliseconds?: number;
}

/**
 * What one test of a host finds now: of a host that is checked in the same way what its check finds, any other one
 * is up unless it cannot be reached.
 */
export function singleTest(
  host: string,
  type: SandboxCheckType,
  { world, now }: OperationContext,
): SingleTest {
  const check = world.checks.find((each) => each.hostname === host && each.type === type);
  const known = check && world.history.lastTest(check, now);
  const isDown = known?.status === 'down' || known?.status === 'unconfirmed_down';
  if (isDown || isUnreachable(host)) return { status: 'down' };
  const chance = hostDraws(host, now)(responseSalt);
  const responseMilliseconds = known?.responseMilliseconds ?? Math.round(40 + 300 * chance);
  return { status: 'up', responseMilliseconds };
}

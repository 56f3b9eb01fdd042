import type { SandboxCheck } from '../../sandbox/src/account/checks.ts';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import type { WallClock } from '../../src/lib/clock.ts';

/** The sandbox plants maintenance and special roles on its first checks, which are deleted here. */
export const specialChecks = 24;

/** An account with its own simulated service, which is up except for the changes of a test. */
export interface ChainAccount {
  readonly name: string;
  readonly sandbox: Omit<Sandbox, 'app'>;
  /** Tested every minute. */
  readonly checks: readonly SandboxCheck[];
  /** UNIX seconds of the service. */
  now(): number;
  down(...checks: readonly SandboxCheck[]): void;
  up(...checks: readonly SandboxCheck[]): void;
  unknown(...checks: readonly SandboxCheck[]): void;
}

export function chainAccount(
  name: string,
  sandbox: Omit<Sandbox, 'app'>,
  clock: WallClock,
): ChainAccount {
  const { world } = sandbox;
  const now = () => Math.floor(clock.now() / 1000);
  const plant =
    (status: 'up' | 'down' | 'unknown', from: number) => (one: { readonly id: number }) =>
      world.plant({ checkId: one.id, status, from });
  for (const { id } of world.checks.slice(0, specialChecks)) world.registry.remove(id);
  [...world.checks, ...world.transactions.all].forEach(plant('up', now() - 40 * 86_400));
  const checks = world.checks.map((check) => {
    const run = { from: check.created, resolutionSeconds: 60, phaseSeconds: 13 };
    const often = { ...check, resolutionMinutes: 1, runs: [run], severity: 'high' as const };
    world.registry.put(often);
    return often;
  });
  return {
    name,
    sandbox,
    checks,
    now,
    down: (...some) => some.forEach(plant('down', now())),
    up: (...some) => some.forEach(plant('up', now())),
    unknown: (...some) => some.forEach(plant('unknown', now())),
  };
}

import { rescheduled } from '../../sandbox/src/operations/checks/check-changes.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import type { WatchedSandbox } from '../support/watched-sandbox.ts';

/** The name of the check that is renamed. */
export const oddName = 'Say "hi" {{name}} $check\n\\ 100 % & <b>';

/**
 * From now on two checks and a transaction are down, one check is paused, one deleted, one renamed
 * and one in maintenance. Of the checks that are tested every minute, one is down for three
 * minutes, and one is down in maintenance.
 */
export function makeTrouble({ sandbox: { world }, clock }: WatchedSandbox): void {
  const now = Math.floor(clock.now() / 1000);
  const [, down, paused, , gone, renamed, , maintained] = world.checks;
  const later = world.checks[10];
  const [transaction] = world.transactions.all
    .filter(({ settings }) => settings.active)
    .sort((one, other) => one.settings.interval - other.settings.interval);
  const named = new Set([down, paused, gone, renamed, maintained, later]);
  const [brief, hidden] = world.checks.filter(
    (check) =>
      check.resolutionMinutes === 1 &&
      !named.has(check) &&
      world.observer.observe(check, now).status === 'up',
  );
  if (!brief || !hidden) throw new Error('too few checks are tested every minute');
  if (!down || !later || !paused || !gone || !renamed || !maintained || !transaction) {
    throw new Error('the account is too small');
  }
  world.plant({ checkId: down.id, status: 'down', from: now });
  world.plant({ checkId: later.id, status: 'down', from: now + 60 });
  world.plant({ checkId: maintained.id, status: 'down', from: now });
  world.plant({ checkId: brief.id, status: 'down', from: now, to: now + 180 });
  world.plant({ checkId: hidden.id, status: 'down', from: now });
  world.plant({ checkId: transaction.id, status: 'down', from: now });
  world.registry.put(rescheduled(paused, { paused: true, minutes: undefined }, now));
  world.registry.remove(gone.id);
  world.registry.put({ ...renamed, name: oddName });
  planMaintenance(world, {
    description: 'Now & here',
    from: now,
    to: now + 86_400,
    uptimeids: [maintained.id, hidden.id],
  });
}

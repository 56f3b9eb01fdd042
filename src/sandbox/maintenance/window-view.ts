import type { World } from '../world.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';

/** A window as the API shows it (API 3.1, section 2.5); checks that are gone are not in it. */
export function windowView(window: MaintenanceWindow, world: World): object {
  const { uptimeids, tmsids, id, description, from, to } = window;
  const { recurrencetype, repeatevery, effectiveto } = window;
  return {
    id,
    description,
    from,
    to,
    recurrencetype,
    repeatevery,
    effectiveto,
    checks: {
      uptime: uptimeids.filter((check) => world.check(check) !== undefined),
      tms: tmsids.filter((check) => world.transactions.find(check) !== undefined),
    },
  };
}

import type { PublicDay, PublicOutage, PublicService, PublicStatus } from './public-status.ts';
import { headline, notKnownSeconds } from './public-words.ts';

/**
 * Returns what a public page shows, for programs (described in docs/public-pages.md). Times are
 * UNIX seconds; unknown values are absent. Names can be added, but are never removed.
 */
export function publicJson(status: PublicStatus) {
  const { blind, plannedWork } = status;
  return {
    title: status.title,
    time: status.nowSeconds,
    state: headline(status, String).state,
    ...(blind !== undefined && { not_known_since: blind.sinceSeconds }),
    late: status.isLate,
    incomplete: status.isIncomplete,
    services: status.services.map(serviceJson),
    services_left_out: status.furtherServices,
    outages: status.outages.map(outageJson),
    outages_left_out: status.furtherOutages,
    outages_complete: status.arePastsKnown,
    planned_work: plannedWork?.map(({ fromSeconds, toSeconds, isUnderWay, services }) => ({
      from: fromSeconds,
      to: toSeconds,
      under_way: isUnderWay,
      services,
    })),
  };
}

function serviceJson({ name, state, since, wasDown, days }: PublicService) {
  return {
    name,
    state,
    ...(state === 'not_known' && { was_down: wasDown }),
    since: since && Math.floor(since.atSeconds),
    since_exact: since?.isExact,
    days: days.map(dayJson),
  };
}

function dayJson(day: PublicDay) {
  const { up, down, unknown, unmonitored } = day.seconds;
  return {
    from: day.fromSeconds,
    to: day.toSeconds,
    up: Math.round(up),
    down: Math.round(down),
    unknown: Math.round(unknown),
    not_monitored: Math.round(unmonitored),
    planned_work: Math.round(day.maintenance.known),
    planned_work_down: Math.round(day.maintenance.down),
    not_known: Math.round(notKnownSeconds(day)),
  };
}

function outageJson({
  service,
  fromSeconds,
  beganBefore,
  toSeconds,
  goesOn,
  planned,
}: PublicOutage) {
  return {
    service,
    from: Math.floor(fromSeconds),
    from_exact: !beganBefore,
    to: toSeconds === undefined ? undefined : Math.floor(toSeconds),
    ongoing: goesOn,
    planned_work: planned,
  };
}

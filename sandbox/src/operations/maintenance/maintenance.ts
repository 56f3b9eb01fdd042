import {
  recurrenceTypes,
  type SandboxMaintenanceWindow,
} from '../../account/maintenance-schedule.ts';
import type { World } from '../../account/world.ts';
import { day } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { requiredParameter, textParameter } from '../../server/parameters.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { count, existing, integer, known, oneOf, page, pageOf, windowById } from '../readers.ts';
import { type Given, only, operation, optional } from '../table.ts';

/**
 * A time that is not in the past; 1 means now (API 3.1, section 2.5). The current time of a window
 * may be given again, even if it is past. UNIX seconds.
 */
export function futureTime(
  name: string,
  time: number | undefined,
  now: number,
  standing?: number,
): number | undefined {
  if (time === 1) return now;
  if (time === undefined || time >= now || time === standing) return time;
  throw new HttpError(
    400,
    `Parameter ${name} must be a time in the future, or 1 for now, not ${time}`,
  );
}

/** Throws a 400 unless `from` is before `to`. */
export function requireOrder(from: number, to: number): void {
  if (to > from) return;
  throw new HttpError(400, `Parameter to must be after parameter from, ${from}, not ${to}`);
}

/** Throws a 400 unless it begins in the future (API 3.1, section 3). `what` names it. */
export function requireFuture(
  what: string,
  { from }: { readonly from: number },
  now: number,
): void {
  if (from > now) return;
  throw new HttpError(400, `${what} cannot be deleted: it does not lie in the future`);
}

/** A time, or 1 for now. */
export const time = integer({ min: 1 });

const fields = {
  description: textParameter,
  from: time,
  to: time,
  uptimeids: optional(existing((world) => world.registry, 'check')),
  tmsids: optional(existing((world) => world.transactions, 'transaction check')),
  recurrencetype: only(['3.1'], oneOf(...recurrenceTypes)),
  repeatevery: only(['3.1'], integer({ min: 0, max: 365 })),
  effectiveto: only(['3.1'], count),
};
type GivenFields = Given<typeof fields>;
type WindowFields = Omit<SandboxMaintenanceWindow, 'id'>;

/**
 * The fields of a window after a write. An absent field keeps its value in `before`, or gets the
 * documented default (API 3.1, section 2.5). Without `effectiveto` there is only the first
 * occurrence.
 */
function changed(
  given: GivenFields,
  { now }: OperationContext,
  before?: SandboxMaintenanceWindow,
): WindowFields {
  const description = requiredParameter(
    'description',
    given.description?.trim() ?? before?.description,
  );
  const from = futureTime('from', given.from, now, before?.from) ?? before?.from;
  const to = futureTime('to', given.to, now, before?.to) ?? before?.to;
  const span = { from: requiredParameter('from', from), to: requiredParameter('to', to) };
  requireOrder(span.from, span.to);
  return {
    ...span,
    description,
    recurrencetype: given.recurrencetype ?? before?.recurrencetype ?? 'none',
    repeatevery: given.repeatevery ?? before?.repeatevery ?? 0,
    effectiveto: effectiveTo(given.effectiveto, span, before),
    uptimeids: given.uptimeids ?? before?.uptimeids ?? [],
    tmsids: given.tmsids ?? before?.tmsids ?? [],
  };
}

/** The sandbox plans no occurrence after this time, so that their number is bounded. */
const maxRecurrenceSeconds = 10 * 366 * day;

function effectiveTo(
  given: number | undefined,
  { from, to }: Pick<WindowFields, 'from' | 'to'>,
  before?: SandboxMaintenanceWindow,
): number {
  const planned = before?.effectiveto === before?.to ? undefined : before?.effectiveto;
  const end = given ?? Math.max(to, planned ?? to);
  if (end < to)
    throw new HttpError(400, `Parameter effectiveto must be ${to} or later, not ${end}`);
  if (end - from <= maxRecurrenceSeconds) return end;
  throw new HttpError(400, `Parameter effectiveto must be within ten years of ${from}, not ${end}`);
}

/** A window in the form of the API (API 3.1, section 2.5), without removed checks. */
function windowView(window: SandboxMaintenanceWindow, world: World): object {
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

const sortKeys = ['description', 'from', 'to', 'effectiveto'] as const;

/** Maintenance windows (API 3.1, section 4.2; legacy versions, section 4.5). */
export const windowOperations: readonly Operation[] = [
  operation(
    'list_maintenance',
    '3.1,2.1 GET /maintenance',
    'list maintenance windows',
    {
      page: page(Number.POSITIVE_INFINITY),
      order: oneOf('asc', 'desc'),
      orderby: oneOf(...sortKeys),
    },
    ({ order, orderby, ...given }, { world }) => {
      if (order !== undefined && orderby === undefined) {
        throw new HttpError(400, 'Parameter order requires parameter orderby');
      }
      const sorted = world.maintenance.windows.all.toSorted(comparing(orderby, order));
      const most = world.wire.maintenancePage === '50' ? 50 : Number.POSITIVE_INFINITY;
      const page = { ...given.page, limit: Math.min(most, given.page.limit) };
      return { maintenance: pageOf(sorted, page).map((each) => windowView(each, world)) };
    },
  ),
  operation(
    'create_maintenance',
    '3.1,2.1 POST /maintenance',
    'create a maintenance window',
    fields,
    (given, context) => ({
      maintenance: { id: context.world.maintenance.add(changed(given, context)) },
    }),
  ),
  operation(
    'delete_many_maintenance',
    '3.1,2.1 DELETE /maintenance',
    'delete many maintenance windows that lie in the future',
    { maintenanceids: known((world) => world.maintenance.windows) },
    ({ maintenanceids: windows }, { world, now }) => {
      for (const each of windows) requireFuture(`Maintenance window ${each.id}`, each, now);
      for (const { id } of windows) world.maintenance.remove(id);
      return { message: 'Maintenance windows successfully deleted!' };
    },
  ),
  operation(
    'get_maintenance',
    '3.1,2.1 GET /maintenance/:id',
    'read one maintenance window',
    { id: windowById },
    ({ id }, { world }) => ({ maintenance: windowView(id, world) }),
  ),
  operation(
    'modify_maintenance',
    '3.1,2.1 PUT /maintenance/:id',
    'modify a maintenance window',
    { id: windowById, ...fields },
    ({ id: before, ...given }, context) => {
      const { world, now } = context;
      world.maintenance.replace({ ...changed(given, context, before), id: before.id }, now);
      return { message: 'Maintenance window successfully modified!' };
    },
  ),
  operation(
    'delete_maintenance',
    '3.1,2.1 DELETE /maintenance/:id',
    'delete a maintenance window that lies in the future',
    { id: windowById },
    ({ id: deleted }, { world, now }) => {
      requireFuture(`Maintenance window ${deleted.id}`, deleted, now);
      world.maintenance.remove(deleted.id);
      return { message: 'Maintenance window successfully deleted!' };
    },
  ),
];

function comparing(key: (typeof sortKeys)[number] | undefined, order: 'asc' | 'desc' = 'asc') {
  const sign = order === 'asc' ? 1 : -1;
  return (a: SandboxMaintenanceWindow, b: SandboxMaintenanceWindow) => {
    if (key === undefined || a[key] === b[key]) return a.id - b.id;
    return a[key] < b[key] ? -sign : sign;
  };
}

import {
  recurrenceTypes,
  type SandboxMaintenanceWindow,
} from '../../account/maintenance-schedule.ts';
import type { World } from '../../account/world.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import type { ApiVersion } from '../../vocabulary.ts';
import { identifiedWindow, requireKnownIds } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';

/**
 * A time that is not in the past; 1 means now (API 3.1, section 2.5). The current time of a window
 * may be given again, even if it is past. UNIX seconds.
 */
export function futureTime(
  inputs: Inputs,
  name: string,
  now: number,
  standing?: number,
): number | undefined {
  const time = integerParameter(inputs, name, { min: 1 });
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

type WindowFields = Omit<SandboxMaintenanceWindow, 'id'>;

/** The sandbox plans no occurrence after this time, so that their number is bounded. */
const maxRecurrenceSeconds = 10 * 366 * 86_400;

/**
 * The fields of a window after a write. An absent field keeps its value in `before`, or gets the
 * documented default (API 3.1, section 2.5). Without `effectiveto` there is only the first
 * occurrence.
 */
function givenWindowFields(
  inputs: Inputs,
  { world, now }: OperationContext,
  before?: SandboxMaintenanceWindow,
): WindowFields {
  const description = requiredParameter(
    'description',
    textParameter(inputs, 'description')?.trim() ?? before?.description,
  );
  const from = requiredParameter(
    'from',
    futureTime(inputs, 'from', now, before?.from) ?? before?.from,
  );
  const to = requiredParameter('to', futureTime(inputs, 'to', now, before?.to) ?? before?.to);
  requireOrder(from, to);
  requireKnownIds(inputs, 'uptimeids', 'check', (id) => world.check(id));
  requireKnownIds(inputs, 'tmsids', 'transaction check', (id) => world.transactions.find(id));
  const listed = (name: 'uptimeids' | 'tmsids') =>
    name in inputs ? integerListParameter(inputs, name) : (before?.[name] ?? []);
  return {
    description,
    from,
    to,
    recurrencetype:
      enumParameter(inputs, 'recurrencetype', recurrenceTypes) ?? before?.recurrencetype ?? 'none',
    repeatevery:
      integerParameter(inputs, 'repeatevery', { min: 0, max: 365 }) ?? before?.repeatevery ?? 0,
    effectiveto: effectiveTo(inputs, { from, to }, before),
    uptimeids: listed('uptimeids'),
    tmsids: listed('tmsids'),
  };
}

function effectiveTo(
  inputs: Inputs,
  { from, to }: Pick<WindowFields, 'from' | 'to'>,
  before?: SandboxMaintenanceWindow,
): number {
  const given = integerParameter(inputs, 'effectiveto', { min: 0 });
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

const versions: readonly ApiVersion[] = ['3.1', '2.1'];
const sortKeys = ['description', 'from', 'to', 'effectiveto'] as const;
const orders = ['asc', 'desc'] as const;

const basicFields = ['description', 'from', 'to', 'uptimeids', 'tmsids'];
const writableFields = (version: ApiVersion) =>
  version === '3.1'
    ? [...basicFields, 'recurrencetype', 'repeatevery', 'effectiveto']
    : basicFields;

/** Maintenance windows (API 3.1, section 4.2; legacy versions, section 4.5). */
export const windowOperations: readonly Operation[] = [
  {
    name: 'list_maintenance',
    summary: 'list maintenance windows',
    method: 'get',
    path: '/maintenance',
    versions,
    parameters: ['limit', 'offset', 'order', 'orderby'],
    body: 'none',
    run(inputs, { world }) {
      const limit = integerParameter(inputs, 'limit', { min: 1 }) ?? Number.POSITIVE_INFINITY;
      const offset = integerParameter(inputs, 'offset', { min: 0 }) ?? 0;
      const sortKey = enumParameter(inputs, 'orderby', sortKeys);
      const order = enumParameter(inputs, 'order', orders);
      if (order !== undefined && sortKey === undefined) {
        throw new HttpError(400, 'Parameter order requires parameter orderby');
      }
      const sorted = world.maintenance.windows.toSorted(comparing(sortKey, order));
      const page = sorted.slice(offset, offset + limit);
      return { maintenance: page.map((window) => windowView(window, world)) };
    },
  },
  {
    name: 'create_maintenance',
    summary: 'create a maintenance window',
    method: 'post',
    path: '/maintenance',
    versions,
    parameters: writableFields,
    body: 'json-or-form',
    run(inputs, context) {
      const id = context.world.maintenance.add(givenWindowFields(inputs, context));
      return { maintenance: { id } };
    },
  },
  {
    name: 'delete_many_maintenance',
    summary: 'delete many maintenance windows that lie in the future',
    method: 'delete',
    path: '/maintenance',
    versions,
    parameters: ['maintenanceids'],
    body: 'json-or-form',
    run(inputs, { world, now }) {
      const ids = requiredParameter(
        'maintenanceids',
        integerListParameter(inputs, 'maintenanceids'),
      );
      const windows = ids.flatMap((id) => world.maintenance.window(id) ?? []);
      for (const window of windows) requireFuture(window, now);
      for (const { id } of windows) world.maintenance.remove(id);
      return { message: 'Maintenance windows successfully deleted!' };
    },
  },
  {
    name: 'get_maintenance',
    summary: 'read one maintenance window',
    method: 'get',
    path: '/maintenance/:id',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      return { maintenance: windowView(identifiedWindow(inputs, context), context.world) };
    },
  },
  {
    name: 'modify_maintenance',
    summary: 'modify a maintenance window',
    method: 'put',
    path: '/maintenance/:id',
    versions,
    parameters: writableFields,
    body: 'json-or-form',
    run(inputs, context) {
      const window = identifiedWindow(inputs, context);
      const { world, now } = context;
      const { id } = window;
      world.maintenance.replace({ ...givenWindowFields(inputs, context, window), id }, now);
      return { message: 'Maintenance window successfully modified!' };
    },
  },
  {
    name: 'delete_maintenance',
    summary: 'delete a maintenance window that lies in the future',
    method: 'delete',
    path: '/maintenance/:id',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      const window = identifiedWindow(inputs, context);
      requireFuture(window, context.now);
      context.world.maintenance.remove(window.id);
      return { message: 'Maintenance window successfully deleted!' };
    },
  },
];

function comparing(key: (typeof sortKeys)[number] | undefined, order: 'asc' | 'desc' = 'asc') {
  const sign = order === 'asc' ? 1 : -1;
  return (a: SandboxMaintenanceWindow, b: SandboxMaintenanceWindow) => {
    if (key === undefined || a[key] === b[key]) return a.id - b.id;
    return a[key] < b[key] ? -sign : sign;
  };
}

/** API 3.1, section 3. */
function requireFuture({ id, from }: SandboxMaintenanceWindow, now: number): void {
  if (from > now) return;
  throw new HttpError(
    400,
    `Maintenance window ${id} cannot be deleted: it does not lie in the future`,
  );
}

import type { SandboxMaintenanceWindow } from '../../account/maintenance-schedule.ts';
import { recurrenceTypes } from '../../account/recurrence.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
  requiredParameter,
  textParameter,
} from '../../server/parameters.ts';
import { requireKnownIds } from '../identified.ts';
import type { OperationContext } from '../operation.ts';

/**
 * A time that is not over: 1 means now (API 3.1, section 2.5). The time that stands already may stand
 * again, even if it is past. UNIX seconds.
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

/** Throws a 400 unless the span from `from` to `to` holds some time. */
export function requireOrder(from: number, to: number): void {
  if (to > from) return;
  throw new HttpError(400, `Parameter to must be after parameter from, ${from}, not ${to}`);
}

type WindowFields = Omit<SandboxMaintenanceWindow, 'id'>;

/** The sandbox plans no further, so that a window has a bounded number of occurrences. */
const maxRecurrenceSeconds = 10 * 366 * 86_400;

/**
 * The fields of a window as a client writes them: given ones, else those of `before`, else the documented
 * ones (API 3.1, section 2.5). Without `effectiveto` there is but the first occurrence.
 */
export function givenWindowFields(
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

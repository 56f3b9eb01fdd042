import { requireKnownIds } from '../known-ids.ts';
import type { OperationContext } from '../operation.ts';
import {
  type Inputs,
  integerListParameter,
  integerParameter,
  required,
  textParameter,
  wordParameter,
} from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { futureTime, requireOrder } from './future-time.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { recurrenceTypes } from './recurrence.ts';

type WindowFields = Omit<MaintenanceWindow, 'id'>;

/** The sandbox plans no further, so that a window has a bounded number of occurrences. */
const longestRecurrenceSeconds = 10 * 366 * 86_400;

/**
 * The fields of a window as a client writes them: given ones, else those of `before`, else the documented
 * ones (API 3.1, section 2.5). Without `effectiveto` there is but the first occurrence.
 */
export function windowFields(
  inputs: Inputs,
  { world, now }: OperationContext,
  before?: MaintenanceWindow,
): WindowFields {
  const description = required(
    'description',
    textParameter(inputs, 'description')?.trim() ?? before?.description,
  );
  const from = required('from', futureTime(inputs, 'from', now, before?.from) ?? before?.from);
  const to = required('to', futureTime(inputs, 'to', now, before?.to) ?? before?.to);
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
      wordParameter(inputs, 'recurrencetype', recurrenceTypes) ?? before?.recurrencetype ?? 'none',
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
  before?: MaintenanceWindow,
): number {
  const given = integerParameter(inputs, 'effectiveto', { min: 0 });
  const planned = before?.effectiveto === before?.to ? undefined : before?.effectiveto;
  const end = given ?? Math.max(to, planned ?? to);
  if (end < to) throw new Refusal(400, `Parameter effectiveto must be ${to} or later, not ${end}`);
  if (end - from <= longestRecurrenceSeconds) return end;
  throw new Refusal(400, `Parameter effectiveto must be within ten years of ${from}, not ${end}`);
}

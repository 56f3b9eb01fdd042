import { HttpError } from '../../server/http-error.ts';
import { integerListParameter, requiredParameter } from '../../server/parameters.ts';
import type { Wire } from '../../wire.ts';
import type { Operation } from '../operation.ts';
import { count, occurrenceById } from '../readers.ts';
import { operation, together } from '../table.ts';
import { futureTime, requireFuture, requireOrder, time } from './maintenance.ts';

/** The documentation spells it with one r (API 3.1, section 4.2); clients use either. */
const occurrences = together(['occurenceids', 'occurrenceids'], (inputs, { world }) => {
  const ids = requiredParameter('occurenceids', [
    ...integerListParameter(inputs, 'occurenceids'),
    ...integerListParameter(inputs, 'occurrenceids'),
  ]);
  return world.maintenance.occurrences.known(ids);
});

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether a period has an occurrence. */
const selects: Readonly<Record<Wire['occurrences'], (one: Span, period: Span) => boolean>> = {
  overlapping: (one, { from, to }) => one.to > from && one.from < to,
  beginning: (one, { from, to }) => one.from >= from && one.from < to,
  within: (one, { from, to }) => one.from >= from && one.to <= to,
};

/** Occurrences of maintenance windows (API 3.1, section 4.2). */
export const occurrenceOperations: readonly Operation[] = [
  operation(
    'list_occurrences',
    '3.1 GET /maintenance.occurrences',
    'list occurrences of maintenance windows',
    { from: count, to: count, maintenanceid: count },
    ({ from, to = Number.POSITIVE_INFINITY, maintenanceid }, { world, now }) => {
      const isSelected = selects[world.wire.occurrences];
      const listed = world.maintenance.occurrencesInOrder.filter(
        (each) =>
          isSelected(each, { from: from ?? now, to }) &&
          (maintenanceid === undefined || each.maintenanceid === maintenanceid),
      );
      return { occurrences: listed };
    },
  ),
  operation(
    'delete_occurrences',
    '3.1 DELETE /maintenance.occurrences',
    'delete many occurrences that lie in the future',
    { occurrences },
    ({ occurrences: deleted }, { world, now }) => {
      for (const each of deleted) requireFuture(`Occurrence ${each.id}`, each, now);
      for (const { id } of deleted) world.maintenance.occurrences.remove(id);
      return { message: 'Occurrences successfully deleted!' };
    },
  ),
  operation(
    'get_occurrence',
    '3.1 GET /maintenance.occurrences/:id',
    'read one occurrence',
    { id: occurrenceById },
    ({ id: found }) => ({ occurrence: found }),
  ),
  operation(
    'modify_occurrence',
    '3.1 PUT /maintenance.occurrences/:id',
    'move an occurrence that is not over',
    { id: occurrenceById, from: time, to: time },
    ({ id: before, ...given }, { world, now }) => {
      if (before.to <= now) {
        throw new HttpError(400, `Occurrence ${before.id} cannot be modified: it is over`);
      }
      const from = futureTime('from', given.from, now, before.from) ?? before.from;
      const to = futureTime('to', given.to, now, before.to) ?? before.to;
      requireOrder(from, to);
      world.maintenance.occurrences.put({ ...before, from, to });
      return { message: 'Occurrence successfully modified!' };
    },
  ),
  operation(
    'delete_occurrence',
    '3.1 DELETE /maintenance.occurrences/:id',
    'delete an occurrence that lies in the future',
    { id: occurrenceById },
    ({ id: deleted }, { world, now }) => {
      requireFuture(`Occurrence ${deleted.id}`, deleted, now);
      world.maintenance.occurrences.remove(deleted.id);
      return { message: 'Occurrence successfully deleted!' };
    },
  ),
];

import type { SandboxOccurrence } from '../../account/maintenance-schedule.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  integerListParameter,
  integerParameter,
  requiredParameter,
} from '../../server/parameters.ts';
import type { ApiVersion } from '../../vocabulary.ts';
import { identifiedOccurrence } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { futureTime, requireOrder } from './maintenance.ts';

const versions: readonly ApiVersion[] = ['3.1'];

/** Occurrences of maintenance windows (API 3.1, section 4.2). */
export const occurrenceOperations: readonly Operation[] = [
  {
    name: 'list_occurrences',
    summary: 'list occurrences of maintenance windows',
    method: 'get',
    path: '/maintenance.occurrences',
    versions,
    parameters: ['from', 'to', 'maintenanceid'],
    body: 'none',
    run(inputs, { world, now }) {
      const from = integerParameter(inputs, 'from', { min: 0 }) ?? now;
      const to = integerParameter(inputs, 'to', { min: 0 }) ?? Number.POSITIVE_INFINITY;
      const wanted = integerParameter(inputs, 'maintenanceid', { min: 0 });
      // The occurrences that overlap the requested period.
      const occurrences = world.maintenance.occurrences.filter(
        (each) =>
          each.to > from &&
          each.from < to &&
          (wanted === undefined || each.maintenanceid === wanted),
      );
      return { occurrences };
    },
  },
  {
    name: 'delete_occurrences',
    summary: 'delete many occurrences that lie in the future',
    method: 'delete',
    path: '/maintenance.occurrences',
    versions,
    // The documentation spells it with one r (API 3.1, section 4.2); clients use either.
    parameters: ['occurenceids', 'occurrenceids'],
    body: 'json-or-form',
    run(inputs, { world, now }) {
      const ids = requiredParameter('occurenceids', [
        ...integerListParameter(inputs, 'occurenceids'),
        ...integerListParameter(inputs, 'occurrenceids'),
      ]);
      const occurrences = ids.flatMap((id) => world.maintenance.occurrence(id) ?? []);
      for (const occurrence of occurrences) requireFuture(occurrence, now);
      for (const { id } of occurrences) world.maintenance.removeOccurrence(id);
      return { message: 'Occurrences successfully deleted!' };
    },
  },
  {
    name: 'get_occurrence',
    summary: 'read one occurrence',
    method: 'get',
    path: '/maintenance.occurrences/:id',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      return { occurrence: identifiedOccurrence(inputs, context) };
    },
  },
  {
    name: 'modify_occurrence',
    summary: 'move an occurrence that is not over',
    method: 'put',
    path: '/maintenance.occurrences/:id',
    versions,
    parameters: ['from', 'to'],
    body: 'json-or-form',
    run(inputs, context) {
      const occurrence = identifiedOccurrence(inputs, context);
      const { world, now } = context;
      if (occurrence.to <= now) {
        throw new HttpError(400, `Occurrence ${occurrence.id} cannot be modified: it is over`);
      }
      const from = futureTime(inputs, 'from', now, occurrence.from) ?? occurrence.from;
      const to = futureTime(inputs, 'to', now, occurrence.to) ?? occurrence.to;
      requireOrder(from, to);
      world.maintenance.replaceOccurrence({ ...occurrence, from, to });
      return { message: 'Occurrence successfully modified!' };
    },
  },
  {
    name: 'delete_occurrence',
    summary: 'delete an occurrence that lies in the future',
    method: 'delete',
    path: '/maintenance.occurrences/:id',
    versions,
    parameters: [],
    body: 'none',
    run(inputs, context) {
      const occurrence = identifiedOccurrence(inputs, context);
      requireFuture(occurrence, context.now);
      context.world.maintenance.removeOccurrence(occurrence.id);
      return { message: 'Occurrence successfully deleted!' };
    },
  },
];

/** API 3.1, section 3. */
function requireFuture({ id, from }: SandboxOccurrence, now: number): void {
  if (from > now) return;
  throw new HttpError(400, `Occurrence ${id} cannot be deleted: it does not lie in the future`);
}

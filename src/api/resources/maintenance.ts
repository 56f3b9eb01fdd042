import { z } from 'zod';
import type { TimeRange } from '../../domain/interval.ts';
import {
  type MaintenanceOccurrence,
  type MaintenanceWindow,
  recurrences,
} from '../../domain/maintenance.ts';
import {
  enumValueOf,
  identifier,
  identifiers,
  instant,
  integer,
  number,
  text,
  timestamp,
  visibleText,
} from '../decoding/fields.ts';
import { byId, decodedBy, positiveInteger, readList, readWhole } from '../list.ts';
import { type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 3.1, section 2.5. */
const wireWindow = z.object({
  id: identifier,
  description: text,
  recurrencetype: text,
  repeatevery: number,
  from: number,
  to: number,
  effectiveto: number,
  checks: z
    .object({ uptime: z.unknown().optional(), tms: z.unknown().optional() })
    .optional()
    .catch(undefined),
});

const windowList = {
  field: 'maintenance',
  decode: decodedBy(wireWindow, (wire) => {
    const repeatEvery = integer(wire.repeatevery);
    return {
      id: wire.id,
      description: visibleText(wire.description),
      recurrence: enumValueOf(recurrences, wire.recurrencetype),
      repeatEvery: repeatEvery !== undefined && repeatEvery > 0 ? repeatEvery : undefined,
      startAtSeconds: timestamp(wire.from),
      endAtSeconds: timestamp(wire.to),
      recurrenceEndAtSeconds: timestamp(wire.effectiveto),
      checkIds: identifiers(wire.checks?.uptime) ?? [],
      transactionIds: identifiers(wire.checks?.tms) ?? [],
    };
  }),
  ...byId,
};

const wireOccurrence = z.object({
  id: identifier,
  maintenanceid: identifier,
  from: instant,
  to: instant,
});

const occurrenceList = {
  field: 'occurrences',
  decode: decodedBy(wireOccurrence, (wire) => {
    const { id, maintenanceid: maintenanceId, from: fromSeconds, to: toSeconds } = wire;
    return fromSeconds > toSeconds ? undefined : { id, maintenanceId, fromSeconds, toSeconds };
  }),
  ...byId,
  requiredFields: {
    id: positiveInteger,
    maintenanceid: positiveInteger,
    from: positiveInteger,
    to: `${positiveInteger} not before from`,
  },
};

/** Neither a default nor a maximum is documented (API 3.1, section 4.2). */
const limit = 1000;

/** The complete list of maintenance windows, in a fixed order, so that result pages match. */
export async function listMaintenance(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<MaintenanceWindow>> {
  const query = { orderby: 'from', order: 'asc' };
  const request = { operation: 'list_maintenance', path: 'maintenance', query, signal };
  return readList({ ...request, reader, limit, form: windowList });
}

/** The occurrences of all maintenance windows in a period (API 3.1, section 4.2). */
export function listOccurrences(
  reader: Reader,
  period: TimeRange,
  signal: AbortSignal,
): Promise<Listing<MaintenanceOccurrence>> {
  return readWhole(reader, occurrenceList, {
    operation: 'list_occurrences',
    path: 'maintenance.occurrences',
    query: timeRangeParameters(period),
    signal,
  });
}

import { z } from 'zod';
import {
  type MaintenanceOccurrence,
  type MaintenanceWindow,
  recurrences,
} from '../../domain/maintenance.ts';
import { present } from '../../lib/present.ts';
import {
  identifier,
  identifiers,
  instant,
  integer,
  number,
  text,
  timestamp,
  wellFormed,
  wordOf,
} from './fields.ts';
import { byId, positiveInteger } from './keyed-list.ts';

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

export const windowList = {
  field: 'maintenance',
  decode: (entry: unknown): MaintenanceWindow | undefined => {
    const wire = wireWindow.safeParse(entry).data;
    if (wire === undefined) return undefined;
    const repeatEvery = integer(wire.repeatevery);
    return present({
      id: wire.id,
      description: wellFormed(wire.description),
      recurrence: wordOf(recurrences, wire.recurrencetype),
      repeatEvery: repeatEvery !== undefined && repeatEvery > 0 ? repeatEvery : undefined,
      startAtSeconds: timestamp(wire.from),
      endAtSeconds: timestamp(wire.to),
      recurrenceEndAtSeconds: timestamp(wire.effectiveto),
      checkIds: identifiers(wire.checks?.uptime) ?? [],
      transactionIds: identifiers(wire.checks?.tms) ?? [],
    });
  },
  ...byId,
};

const wireOccurrence = z.object({
  id: identifier,
  maintenanceid: identifier,
  from: instant,
  to: instant,
});

export const occurrenceList = {
  field: 'occurrences',
  decode: (entry: unknown): MaintenanceOccurrence | undefined => {
    const wire = wireOccurrence.safeParse(entry).data;
    if (wire === undefined || wire.from > wire.to) return undefined;
    const { id, maintenanceid: maintenanceId, from: startAtSeconds, to: endAtSeconds } = wire;
    return { id, maintenanceId, startAtSeconds, endAtSeconds };
  },
  ...byId,
  needs: {
    id: positiveInteger,
    maintenanceid: positiveInteger,
    from: positiveInteger,
    to: `${positiveInteger} not before from`,
  },
};

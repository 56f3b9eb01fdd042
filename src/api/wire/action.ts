import { z } from 'zod';
import { type Action, type AlertStatus, alertMedia, alertStatuses } from '../../domain/action.ts';
import { present } from '../../lib/present.ts';
import { flag, identifier, instant, text, truth, wordOf } from './fields.ts';
import { positiveInteger } from './keyed-list.ts';

/** API 3.1, section 2.2. */
const wireAction = z.object({
  time: instant,
  checkid: z.unknown().optional(),
  via: text,
  status: text,
  charged: flag,
});

export const actionList = {
  field: 'alerts',
  decode: (entry: unknown): Action | undefined => {
    const wire = wireAction.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      atSeconds: wire.time,
      checkId: identifier.safeParse(wire.checkid).data,
      via: wordOf(alertMedia, wire.via),
      status: statusOf(wire.status),
      charged: truth(wire.charged),
    });
  },
  needs: { time: positiveInteger },
  // Without the status, which changes while an alert is on its way.
  keyOf: ({ atSeconds, checkId, via }: Action) => `${atSeconds} ${checkId} ${via}`,
  repeats: true,
};

/** Replies join the words that filters separate (API 2.x, section 2.2). */
function statusOf(value: unknown): AlertStatus {
  if (value === 'notdelivered') return 'not_delivered';
  if (value === 'nocredits') return 'no_credits';
  return wordOf(alertStatuses, value);
}

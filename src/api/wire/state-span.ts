import { z } from 'zod';
import { monitoredStates, type StateSpan } from '../../domain/outage.ts';
import { instant, text, wordOf } from './fields.ts';
import { positiveInteger } from './keyed-list.ts';
import { spanKey } from './spans.ts';

/** API 3.1, section 2.9. */
const wireSpan = z.object({ status: text, timefrom: instant, timeto: instant });

export const spanList = {
  field: 'states',
  decode: (entry: unknown): StateSpan | undefined => {
    const wire = wireSpan.safeParse(entry).data;
    if (wire === undefined || wire.timefrom > wire.timeto) return undefined;
    return {
      state: wordOf(monitoredStates, wire.status),
      fromSeconds: wire.timefrom,
      toSeconds: wire.timeto,
    };
  },
  needs: { timefrom: positiveInteger, timeto: `${positiveInteger} not before timefrom` },
  keyOf: spanKey,
};

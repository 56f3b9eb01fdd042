import { z } from 'zod';
import type { Analysis } from '../../domain/analysis.ts';
import { present } from '../../lib/present.ts';
import { identifier, number, timestamp } from './fields.ts';
import { byId } from './keyed-list.ts';

/** API 3.1, section 2.3. */
const wireAnalysis = z.object({ id: identifier, timefirsttest: number, timeconfirmtest: number });

export const analysisList = {
  field: 'analysis',
  decode: (entry: unknown): Analysis | undefined => {
    const wire = wireAnalysis.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      firstTestAtSeconds: timestamp(wire.timefirsttest),
      confirmTestAtSeconds: timestamp(wire.timeconfirmtest),
    });
  },
  ...byId,
};

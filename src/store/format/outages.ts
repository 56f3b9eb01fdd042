import { z } from 'zod';
import { checkTypes } from '../../domain/check.ts';
import { noOutages, type Outage, type Outages, type RemovedOutage } from '../../slo/outages.ts';

const labels = z.object({
  name: z.string(),
  tags: z.array(z.object({ name: z.string(), source: z.enum(['user', 'auto']) })),
  hostname: z.string().exactOptional(),
  type: z.enum([...checkTypes, 'unknown']).exactOptional(),
  promoted: z.record(z.string(), z.string()).exactOptional(),
});
const alertLabels = z.object({ importance: z.enum(['high', 'low']), hostname: z.string() });
const time = z.number().exactOptional();
const outage = z.object({
  labels,
  alertLabels,
  open: z.boolean(),
  sinceSeconds: time,
  seenAtSeconds: time,
  overAtSeconds: time,
  openedAtSeconds: z.array(z.number()).exactOptional(),
  flapping: z
    .object({ active: z.boolean(), upSinceSeconds: time, overAtSeconds: time })
    .exactOptional(),
});
const former = z.object({
  id: z.number(),
  labels,
  alertLabels,
  hasFlapped: z.literal(true).exactOptional(),
  untilSeconds: z.number(),
});

export const outagesSchema = z.object({
  items: z.array(z.tuple([z.number(), outage])),
  former: z.array(former),
  isKnown: z.boolean(),
});

/** `Outages` in the form that is stored as JSON. */
interface StoredOutages {
  readonly items: readonly (readonly [id: number, outage: Outage])[];
  readonly former: readonly RemovedOutage[];
  readonly isKnown: boolean;
}

export function encodeOutages({ items, former, isKnown }: Outages): StoredOutages {
  return { items: [...items], former, isKnown };
}

/** Without a document there are no outages. The next list shows which are open. */
export function decodeOutages(stored: StoredOutages | undefined): Outages {
  return stored === undefined ? noOutages : { ...stored, items: new Map(stored.items) };
}

import { z } from 'zod';
import { checkTypes } from '../../domain/check.ts';
import { type FormerOutage, noOutages, type Outage, type Outages } from '../../windows/outages.ts';

const labels = z.object({
  name: z.string(),
  tags: z.array(z.object({ name: z.string(), source: z.enum(['user', 'auto']) })),
  hostname: z.string().exactOptional(),
  type: z.enum([...checkTypes, 'unknown']).exactOptional(),
});
const outage = z.object({
  labels,
  open: z.boolean(),
  sinceSeconds: z.number().exactOptional(),
  overAtSeconds: z.number().exactOptional(),
});
const former = z.object({ id: z.number(), labels, untilSeconds: z.number() });
export const formerOutagesSchema = z.array(former);
export const outagesSchema = z.object({
  items: z.array(z.tuple([z.number(), outage])),
  former: formerOutagesSchema,
});

/** `Outages` as JSON holds them. */
interface StoredOutages {
  readonly items: readonly (readonly [id: number, outage: Outage])[];
  readonly former: readonly FormerOutage[];
}

export function encodeOutages({ items, former }: Outages): StoredOutages {
  return { items: [...items], former };
}

/** None when there is no document: the next list shows which are open. */
export function decodeOutages(stored: StoredOutages | undefined): Outages {
  return stored === undefined ? noOutages : { ...stored, items: new Map(stored.items) };
}

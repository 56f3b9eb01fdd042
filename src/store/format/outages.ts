import { z } from 'zod';
import { checkTypes } from '../../domain/check.ts';
import { type FormerOutage, noOutages, type Outages } from '../../windows/outages.ts';
import type { Json } from '../store.ts';

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
export const formerOutagesSchema = z.array(former);
export const outagesSchema = z.object({
  items: z.array(z.tuple([z.number(), outage])),
  former: formerOutagesSchema,
  isKnown: z.boolean(),
});

export function encodeOutages({ items, former, isKnown }: Outages): Json {
  return { items: [...items], former, isKnown } as unknown as Json;
}

/** None when the document is damaged: the next list tells which are open. */
export function decodeOutages(value: unknown): Outages {
  const { data } = outagesSchema.safeParse(value);
  return data === undefined ? noOutages : { ...data, items: new Map(data.items) };
}

/** None when they are damaged. */
export function decodeFormerOutages(value: unknown): readonly FormerOutage[] {
  return formerOutagesSchema.safeParse(value).data ?? [];
}

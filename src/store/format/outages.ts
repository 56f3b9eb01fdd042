import { z } from 'zod';
import { checkTypes } from '../../domain/check.ts';
import { type FormerOutage, noOutages, type Outages } from '../../windows/outages.ts';
import type { Json } from '../store.ts';

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
  seenAtSeconds: z.number().exactOptional(),
  overAtSeconds: z.number().exactOptional(),
});
const former = z.object({ id: z.number(), labels, untilSeconds: z.number() });
export const formerOutagesSchema = z.array(former);
export const outagesSchema = z.object({
  items: z.array(z.tuple([z.number(), outage])),
  former: formerOutagesSchema,
});

export function encodeOutages({ items, former }: Outages): Json {
  return { items: [...items], former } as unknown as Json;
}

/** None when the document is damaged: the next list tells which are open. */
export function decodeOutages(value: unknown): Outages {
  const { data } = outagesSchema.safeParse(value);
  return data === undefined ? noOutages : { items: new Map(data.items), former: data.former };
}

/** None when they are damaged. */
export function decodeFormerOutages(value: unknown): readonly FormerOutage[] {
  return formerOutagesSchema.safeParse(value).data ?? [];
}

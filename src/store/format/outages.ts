import { z } from 'zod';
import type { TypeOf } from '../../lib/schema.ts';
import { noOutages, type Outages, outageSchema, removedOutageSchema } from '../../slo/outages.ts';

/** `Outages` in the form that is stored as JSON. */
export const outagesSchema = z.object({
  items: z.array(z.tuple([z.number(), outageSchema])),
  former: z.array(removedOutageSchema),
  isKnown: z.boolean(),
});
type StoredOutages = TypeOf<typeof outagesSchema>;

export function encodeOutages({ items, former, isKnown }: Outages): StoredOutages {
  return { items: [...items], former, isKnown };
}

/** Without a document there are no outages. The next list shows which are open. */
export function decodeOutages(stored: StoredOutages | undefined): Outages {
  return stored === undefined ? noOutages : { ...stored, items: new Map(stored.items) };
}

import { z } from 'zod';

/*
 * Parts of the schemas of stored data. A schema is the only declaration of its data: the type, the
 * snapshots and the stored form follow it.
 */

export const id = z.number().int();
/** A count, seconds, a time. */
export const amount = z.number().nonnegative();

/** Fields that may be absent, and are never undefined. */
export const optional = {
  id: id.exactOptional(),
  number: z.number().exactOptional(),
  amount: amount.exactOptional(),
  text: z.string().exactOptional(),
  flag: z.boolean().exactOptional(),
  yes: z.literal(true).exactOptional(),
} as const;

/** The type of a schema. Its data are never changed in place. */
export type TypeOf<S extends z.ZodType> = Immutable<z.infer<S>>;

type Immutable<T> = T extends number
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

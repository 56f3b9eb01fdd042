import { z } from 'zod';

/** What the documentation and the messages say of one setting. */
export interface FieldWords {
  readonly description: string;
  /** What may stand there, as the end of "allowed: …". */
  readonly allowed: string;
  /** What holds without it; absent where nothing does. */
  readonly preset?: string;
  /** What was found is not repeated in messages: it may hold a secret. */
  readonly hidden?: boolean;
}

/** A setting whose value `read` understands; it answers undefined for what is not allowed. */
export function field<T extends {}>(words: FieldWords, read: (value: unknown) => T | undefined) {
  return z
    .unknown()
    .transform((value, context): T => {
      const result = read(value);
      if (result !== undefined) return result;
      context.addIssue({ code: 'custom', message: words.allowed });
      return z.NEVER;
    })
    .meta({ ...words });
}

export function wordsOf(schema: z.ZodType): Partial<FieldWords> {
  return (schema.meta() ?? {}) as Partial<FieldWords>;
}

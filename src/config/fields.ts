import { z } from 'zod';
import { formatDuration, parseByteSize, parseDuration } from './quantities.ts';

/** What the documentation and the messages say of one setting. */
export interface FieldMetadata {
  readonly description: string;
  /** What may stand there, as the end of "allowed: …". */
  readonly allowed: string;
  /** What holds without it; absent where nothing does. */
  readonly defaultText?: string;
  /** What was found is not repeated in messages: it may hold a secret. */
  readonly hidden?: boolean;
}

/** A setting whose value `read` understands; it answers undefined for what is not allowed. */
export function field<T extends {}>(words: FieldMetadata, read: (value: unknown) => T | undefined) {
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

export function metadataOf(schema: z.ZodType): Partial<FieldMetadata> {
  return (schema.meta() ?? {}) as Partial<FieldMetadata>;
}

type Metadata = Omit<FieldMetadata, 'allowed'>;

export function textField(words: Metadata, allowed = 'text') {
  return field({ ...words, allowed }, (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
}

export function textWith(words: FieldMetadata, holds: (text: string) => boolean) {
  return field(words, (value) => (typeof value === 'string' && holds(value) ? value : undefined));
}

export function switchField(words: Metadata) {
  return field({ ...words, allowed: 'true or false' }, (value) =>
    typeof value === 'boolean' ? value : undefined,
  );
}

export function choiceField<const T extends string>(words: Metadata, choices: readonly T[]) {
  return field({ ...words, allowed: choices.join(', ') }, (value) =>
    choices.find((choice) => choice === value),
  );
}

export function wholeNumberField(words: Metadata, least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  return field({ ...words, allowed: `a whole number, ${range}` }, (value) =>
    isWholeNumber(value) && value >= least && value <= most ? value : undefined,
  );
}

/** Seconds of a duration within a range, which is in seconds too. */
export function durationField(words: Metadata, least: number, most: number) {
  const allowed = `a duration from ${formatDuration(least)} to ${formatDuration(most)}, written as 500ms, 90s, 10m or 1h30m`;
  return field({ ...words, allowed }, (value) => {
    const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
    return seconds !== undefined && seconds >= least && seconds <= most ? seconds : undefined;
  });
}

/** Bytes of a size within a range, which is written as such. */
export function byteSizeField(words: Metadata, least: string, most: string) {
  const [from = 0, to = 0] = [parseByteSize(least), parseByteSize(most)];
  return field({ ...words, allowed: `a size from ${least} to ${most}` }, (value) => {
    const bytes = typeof value === 'string' ? parseByteSize(value) : undefined;
    return bytes !== undefined && bytes >= from && bytes <= to ? bytes : undefined;
  });
}

/** A list of at least one entry, all of one kind. */
export function listField<T>(words: FieldMetadata, isEntry: (entry: unknown) => entry is T) {
  return field(words, (value): readonly T[] | undefined =>
    Array.isArray(value) && value.length > 0 && value.every(isEntry) ? value : undefined,
  );
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

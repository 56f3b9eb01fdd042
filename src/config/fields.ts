import { z } from 'zod';
import { isVisible } from '../lib/is-visible.ts';
import { succeeds } from '../lib/or-undefined.ts';
import type { FieldMetadata } from '../lib/schema-problems.ts';

const durationUnits = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;
export const durationPattern = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Parses a Prometheus duration such as `10m`, `1h30m` or `500ms` to seconds. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null || text === '') return undefined;
  const milliseconds = Object.values(durationUnits).map(
    (seconds, index) => Number(match[index + 1] ?? 0) * Math.round(seconds * 1000),
  );
  return milliseconds.reduce((sum, part) => sum + part) / 1000;
}

/** Formats a duration, rounded to milliseconds. `parseDuration` accepts the result. */
export function formatDuration(seconds: number): string {
  let rest = Math.round(seconds * 1000);
  let text = '';
  for (const [unit, size] of Object.entries(durationUnits)) {
    const count = Math.floor(rest / Math.round(size * 1000));
    rest -= count * Math.round(size * 1000);
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}

const byteUnits: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Returns the bytes of a size such as `64MiB`; undefined if invalid. */
function parseByteSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)(KiB|MiB|GiB)$/.exec(text) ?? [];
  const size = byteUnits[unit];
  return size === undefined ? undefined : Number(digits) * size;
}

/** Makes a setting. `read` returns undefined for a value that is not allowed. */
export function field<T extends {}>(
  metadata: FieldMetadata,
  read: (value: unknown) => T | undefined,
) {
  return z
    .unknown()
    .transform((value, context): T => {
      const result = read(value);
      if (result !== undefined) return result;
      context.addIssue({ code: 'custom', message: metadata.allowed });
      return z.NEVER;
    })
    .meta({ ...metadata });
}

type Metadata = Omit<FieldMetadata, 'allowed'>;

const nonEmptyString = { type: 'string', minLength: 1 };

interface TextMetadata extends Metadata {
  readonly allowed?: string;
  /** By default every text but a blank one. */
  readonly isAllowed?: (text: string) => boolean;
}

export function textField({ allowed = 'text', isAllowed = isText, ...metadata }: TextMetadata) {
  return field({ json: nonEmptyString, ...metadata, allowed }, (value) =>
    typeof value === 'string' && isAllowed(value) ? value : undefined,
  );
}

export function switchField(metadata: Metadata) {
  const json = { type: 'boolean' };
  return field({ ...metadata, allowed: 'true or false', json }, (value) =>
    typeof value === 'boolean' ? value : undefined,
  );
}

export function choiceField<const T extends string>({
  choices,
  ...metadata
}: Metadata & { readonly choices: readonly T[] }) {
  const allowed = choices.join(', ');
  return field({ ...metadata, allowed, areWords: true, json: { enum: choices } }, (value) =>
    choices.find((choice) => choice === value),
  );
}

interface Bounds<T> {
  readonly min: T;
  readonly max: T;
}

export function wholeNumberField({
  min,
  max = Number.MAX_SAFE_INTEGER,
  ...metadata
}: Metadata & Pick<Bounds<number>, 'min'> & Partial<Bounds<number>>) {
  const isBounded = max !== Number.MAX_SAFE_INTEGER;
  const allowed = `a whole number, ${isBounded ? `${min} to ${max}` : `${min} or more`}`;
  const json = { type: 'integer', minimum: min, ...(isBounded && { maximum: max }) };
  return field({ ...metadata, allowed, json }, (value) =>
    isWholeNumber(value) && value >= min && value <= max ? value : undefined,
  );
}

/** A duration, read as a number of seconds; `min` and `max` are in seconds too. */
export function durationField({ min, max, ...metadata }: Metadata & Bounds<number>) {
  const allowed = `a duration from ${formatDuration(min)} to ${formatDuration(max)}, written as 500ms, 90s, 10m or 1h30m`;
  const json = { ...nonEmptyString, pattern: durationPattern.source };
  return field({ ...metadata, allowed, json }, (value) => {
    const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
    return seconds !== undefined && seconds >= min && seconds <= max ? seconds : undefined;
  });
}

/** A size such as `64MiB`, read as a number of bytes; `min` and `max` are sizes too. */
export function byteSizeField({ min, max, ...metadata }: Metadata & Bounds<string>) {
  const [minBytes = 0, maxBytes = 0] = [parseByteSize(min), parseByteSize(max)];
  const json = { type: 'string', pattern: '^\\d+(KiB|MiB|GiB)$' };
  return field({ ...metadata, allowed: `a size from ${min} to ${max}`, json }, (value) => {
    const bytes = typeof value === 'string' ? parseByteSize(value) : undefined;
    return bytes !== undefined && bytes >= minBytes && bytes <= maxBytes ? bytes : undefined;
  });
}

interface ListMetadata<T> extends FieldMetadata {
  /** The JSON Schema of an entry. */
  readonly item: object;
  readonly isEntry: (entry: unknown) => entry is T;
}

/** A list of one or more entries of one kind. */
export function listField<T>({ item, isEntry, ...metadata }: ListMetadata<T>) {
  const json = { type: 'array', minItems: 1, items: item, ...metadata.json };
  return field({ ...metadata, json }, (value): readonly T[] | undefined =>
    Array.isArray(value) && value.length > 0 && value.every(isEntry) ? value : undefined,
  );
}

/** One text, or a list of one or more texts; both are read as a list. */
export function oneOrMoreField(metadata: FieldMetadata) {
  const json = {
    anyOf: [nonEmptyString, { type: 'array', minItems: 1, items: nonEmptyString }],
  };
  return field({ json, ...metadata }, (value): readonly string[] | undefined => {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return texts.length > 0 && texts.every(isText) ? texts : undefined;
  });
}

/** A text of which a reader sees something, and which has a form in UTF-8. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && isVisible(value) && value.isWellFormed();
}

export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The address of the service, or the reason for its rejection. */
type ServiceAddress = { readonly url: string } | { readonly problem: string };

/** Matches a path that ends in `/api`, or in `/api` and a version, as in the API documentation. */
const endsInApi = /\/api(?:\/v?\d[^/]*(?:\/.*)?)?\/*$/i;

export const hasQuotationMarks =
  'must not contain quotation marks; remove them (docker run --env-file keeps them)';
export const isPlaceholder = 'is a placeholder, which the exporter does not replace';

/** Checks the service's address. Messages do not repeat it, as it may contain a password or a key. */
export function readServiceAddress(text: string, insecure = false): ServiceAddress {
  if (/\$\{|\{\{/.test(text)) return { problem: `${isPlaceholder}; write the address itself` };
  if (!URL.canParse(text)) return { problem: malformedAddress(text) };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    const remedy =
      'set the token (API 3.1), or the e-mail address and password (API 2.x), by themselves';
    return { problem: `must not contain a user or password; ${remedy}` };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'must not contain a query or a fragment; remove ? or # and what follows' };
  }
  if (endsInApi.test(url.pathname)) {
    return { problem: 'must end before /api, which the exporter adds with the version' };
  }
  const plain = url.protocol === 'http:' && (insecure || isLoopback(url.hostname));
  if (url.protocol !== 'https:' && !plain) {
    const exception =
      'http:// is allowed for this machine (localhost), or with insecure_http: true in a configuration file';
    // Without a scheme, what is before a colon and an @ is a user or a token.
    const found = text.includes('@') ? '' : `found ${url.protocol}; `;
    return { problem: `${found}must begin with https://. ${exception}` };
  }
  return { url: url.href.replace(/\/+$/, '') };
}

function malformedAddress(text: string): string {
  if (/^["']/.test(text)) return hasQuotationMarks;
  const [, port = ''] = /:(\d+)(?:\/|$)/.exec(text) ?? [];
  if (Number(port) > 65_535) {
    // A number before an @ may be a password.
    const found = text.includes('@') ? '' : `found the port ${port}; `;
    return `${found}the port must be at most 65535`;
  }
  return 'is not an address such as https://api.example.com';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Allows `http:` and `https:`, without path and query; credentials must be decodable. */
export function isProxyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return (
    /^https?:$/.test(protocol) &&
    pathname + search + hash === '/' &&
    succeeds(() => [username, password].map(decodeURIComponent))
  );
}

import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { ApiError } from '../errors.ts';

interface JsonOptions {
  /** Parses a text; it throws if that is not JSON. */
  readonly parse?: (text: string) => unknown;
  /**
   * A list of more than two parts is parsed in parts of at least this size; the last may be smaller.
   */
  readonly partBytes?: number;
}

/** Parsing this takes some 7 ms. */
const defaultPartBytes = 1_000_000;
/** A list of more than this is parsed in parts. */
export const largeBodyBytes = 2 * defaultPartBytes;

/**
 * Parses a body as JSON, regardless of its content type. A large list is parsed in parts, and the
 * event loop runs between them: with 25,000 checks it is blocked for 62 ms instead of 153.
 *
 * Fails with reason `encoding` or `not_json`. The parser's own error is not passed on, because it
 * quotes the body, which may contain secrets.
 */
export async function parseJson(
  body: Buffer,
  operation: string,
  { parse = JSON.parse, partBytes = defaultPartBytes }: JsonOptions = {},
): Promise<unknown> {
  if (body.length > 2 * partBytes) {
    const list = await parseInParts(body, partBytes, parse);
    if (list !== undefined) return list;
  }
  const text = decodeUtf8(body, operation);
  try {
    return parse(text);
  } catch {
    const size = `${body.length} bytes`;
    throw new ApiError({
      reason: 'not_json',
      operation,
      message: body.length === 0 ? 'the response is empty' : `the response of ${size} is not JSON`,
    });
  }
}

function decodeUtf8(body: Buffer, operation: string): string {
  try {
    return strictUtf8(body);
  } catch {
    throw new ApiError({ reason: 'encoding', operation, message: 'the response is not UTF-8' });
  }
}

function strictUtf8(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** The start of a list up to the first key of its first entry, such as `{"checks":[{"id":`. */
const listStart = /^\{"([a-z]+)":\[(\{"[a-z]+":)/;
const startBytes = 200;

/**
 * Parses an object whose first value is a list. The list is cut where an entry ends and the next
 * begins with the same key as the first. A cut elsewhere shows in the part that it ends: within an
 * entry, its brackets do not match; in a later list, it has a second key.
 *
 * Resolves with undefined if the body is not such an object, or if there was a cut elsewhere.
 */
async function parseInParts(
  body: Buffer,
  partBytes: number,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const [, name, entryStart] = listStart.exec(body.toString('latin1', 0, startBytes)) ?? [];
  if (name === undefined || entryStart === undefined) return undefined;
  const between = `},${entryStart}`;
  const opening = `{"${name}":[`;
  const entries: unknown[] = [];
  let from = opening.length;
  try {
    for (;;) {
      const cut = body.indexOf(between, from + partBytes);
      const isLast = cut === -1;
      const part = strictUtf8(body.subarray(from, isLast ? body.length : cut + 1));
      const parsed = parse(`${opening}${part}${isLast ? '' : ']}'}`) as Record<string, unknown>;
      const list = parsed[name];
      if (!Array.isArray(list)) return undefined;
      for (const entry of list) entries.push(entry);
      if (isLast) return { ...parsed, [name]: entries };
      if (Object.keys(parsed).length > 1) return undefined;
      from = cut + '},'.length;
      await yieldToEventLoop();
    }
  } catch {
    return undefined;
  }
}

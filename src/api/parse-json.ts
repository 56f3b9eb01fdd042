import { ApiError } from './errors.ts';

/**
 * The JSON value of a body, whatever its content type says.
 *
 * Fails with reason `encoding` or `not_json`. The errors of the parsers are not passed on: they quote
 * the body, which may hold secrets.
 */
export function parseJson(body: Buffer, operation: string): unknown {
  const text = decodeUtf8(body, operation);
  try {
    return JSON.parse(text);
  } catch {
    const size = `${body.length} bytes`;
    throw new ApiError({
      reason: 'not_json',
      operation,
      message: body.length === 0 ? 'the reply is empty' : `the reply of ${size} is not JSON`,
    });
  }
}

function decodeUtf8(body: Buffer, operation: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ApiError({ reason: 'encoding', operation, message: 'the reply is not UTF-8' });
  }
}

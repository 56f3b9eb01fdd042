import { ApiError } from '../errors.ts';

/** The kind of a JSON value, for messages: values may be confidential, kinds are not. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The array under `key` of a response, or of its object `within`. Without entries, the service may
 * write null, or omit the array from an object (API 3.1, section 2). Fails with reason `shape`.
 */
export function arrayIn(
  response: unknown,
  key: string,
  operation: string,
  within?: string,
): readonly unknown[] {
  const parent = within === undefined ? response : objectIn(response, within, operation);
  const value = valueIn(parent, key, operation);
  if (value === null || (value === undefined && within !== undefined)) return [];
  if (!Array.isArray(value)) throw malformedResponse(operation, key, 'array', value);
  return value;
}

/** The object under `key` of a response. Fails with reason `shape`. */
export function objectIn(response: unknown, key: string, operation: string): JsonObject {
  const value = valueIn(response, key, operation);
  if (!isObject(value)) throw malformedResponse(operation, key, 'object', value);
  return value;
}

function valueIn(response: unknown, key: string, operation: string): unknown {
  if (!isObject(response)) throw malformedResponse(operation, 'the response', 'object', response);
  return response[key];
}

function malformedResponse(
  operation: string,
  where: string,
  expected: string,
  found: unknown,
): ApiError {
  return new ApiError({
    reason: 'shape',
    operation,
    message: `${where}: expected ${expected}, found ${kindOf(found)}`,
  });
}

/** The decoded value under `key` of a response. Fails with reason `shape` without a valid id. */
export function requireDecoded<T>(decoded: T | undefined, key: string, operation: string): T {
  if (decoded !== undefined) return decoded;
  throw new ApiError({ reason: 'shape', operation, message: `${key} has no valid id` });
}

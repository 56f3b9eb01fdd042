import { isObject, kindOf } from '../decoding/envelope.ts';
import { number, timestamp } from '../decoding/fields.ts';
import { ApiError } from '../errors.ts';
import type { Reader } from '../reader.ts';

/** The UNIX seconds of a reply `{servertime}` (API 2.x, section 2.5). Fails with reason `shape`. */
export function decodeServerTime(reply: unknown, operation: string): number {
  const value = isObject(reply) ? reply.servertime : undefined;
  const seconds = timestamp(number.parse(value));
  if (seconds !== undefined) return seconds;
  const message = `servertime: expected UNIX seconds, found ${kindOf(value)}`;
  throw new ApiError({ reason: 'shape', operation, message });
}

const operation = 'get_server_time';

/** The service's clock, in UNIX seconds (API 2.x, section 4.5). Rejects with an `ApiError`. */
export async function getServerTime(reader: Reader, signal: AbortSignal): Promise<number> {
  return decodeServerTime(await reader.get({ operation, path: 'servertime', signal }), operation);
}

import { ApiError } from '../../errors.ts';
import { isObject } from '../envelope.ts';
import { number, timestamp } from '../fields.ts';
import { kindOf } from '../kind-of.ts';

/** The UNIX seconds of a reply `{servertime}` (API 2.x, section 2.5). Fails with reason `shape`. */
export function decodeServerTime(reply: unknown, operation: string): number {
  const value = isObject(reply) ? reply.servertime : undefined;
  const seconds = timestamp(number.parse(value));
  if (seconds !== undefined) return seconds;
  const message = `servertime: expected UNIX seconds, found ${kindOf(value)}`;
  throw new ApiError({ reason: 'shape', operation, message });
}

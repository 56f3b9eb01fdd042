import type { Reader } from '../../reader.ts';
import { decodeServerTime } from '../../wire/legacy/server-time.ts';

const operation = 'get_server_time';

/** The service's clock, in UNIX seconds (API 2.x, section 4.5). Rejects with an `ApiError`. */
export async function getServerTime(reader: Reader, signal: AbortSignal): Promise<number> {
  return decodeServerTime(await reader.get({ operation, path: 'servertime', signal }), operation);
}

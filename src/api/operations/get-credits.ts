import type { Credits } from '../../domain/credits.ts';
import type { Reader } from '../reader.ts';
import { decodeCredits } from '../wire/credits.ts';

const operation = 'get_credits';

/** What the account's plan allows and has left (API 3.1, section 4.1). Rejects with an `ApiError`. */
export async function getCredits(reader: Reader, signal: AbortSignal): Promise<Credits> {
  return decodeCredits(await reader.get({ operation, path: 'credits', signal }), operation);
}
